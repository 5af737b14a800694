import { PassThrough } from "node:stream";
import { createTransport, type SendMailOptions } from "nodemailer";
import { type Clock, callLater, clockOf } from "#lib/platform/clock.ts";
import type { MailConfig, MailOutcome } from "./types.ts";

/** The parts of one attempt: to connect, for the greeting, for each silence. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

export interface MailSender {
  /** Hands one message to the server. Never throws. */
  send(message: SendMailOptions, limits: SendLimits): Promise<MailOutcome>;
}

interface SendLimits extends Partial<Pick<Clock, "sleep">> {
  /** For the whole attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborted at shutdown. */
  readonly signal: AbortSignal;
}

function openTransport({ host, port, tls, login }: MailConfig["server"]) {
  return createTransport({
    host,
    port,
    secure: tls === "implicit",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    ...(login !== null && { auth: login }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: CONNECT_MS,
  });
}

/** Connects to the mail server and signs in, and sends nothing. Returns null, or why it does not work. Never throws. */
export async function findMailTrouble({ server }: Pick<MailConfig, "server">): Promise<MailOutcome | null> {
  const transport = openTransport(server);
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return outcomeOf(error, false);
  } finally {
    transport.close();
  }
}

/** Opens the way to the mail server. Each message has a connection of its own. */
export function openMailSender({ server }: MailConfig): MailSender {
  return {
    async send(message, { timeoutMs, signal, ...clock }) {
      const transport = openTransport(server);
      let offered = false;
      // The text is read after the connection and the login.
      transport.use("stream", (mail, next) => {
        mail.message.transform(() => {
          offered = true;
          return new PassThrough();
        });
        next();
      });
      // A server that sends one byte at a time is never silent.
      const timeout = new AbortController();
      const inTime = callLater(clockOf(clock), timeoutMs, () => timeout.abort());
      try {
        const limit = AbortSignal.any([signal, timeout.signal]);
        const sent = await transport.sendMail({ ...message, signal: limit });
        return { kind: "sent", status: replyCode(sent.response) ?? 250 };
      } catch (error) {
        if (signal.aborted) return { kind: "interrupted" };
        return timeout.signal.aborted
          ? { kind: "unreachable", error: "timeout", offered }
          : outcomeOf(error, offered);
      } finally {
        inTime();
      }
    },
  };
}

function replyCode(reply: string): number | null {
  const [code] = /^[2-5][0-9]{2}/.exec(reply) ?? [];
  return code === undefined ? null : Number(code);
}

/** Stages whose refusal is about the message itself, and not about the server or our login. */
const ABOUT_THE_MAIL = ["EENVELOPE", "EMESSAGE"];

/** Only codes: replies of servers contain the recipient's address. */
function outcomeOf(error: unknown, offered: boolean): MailOutcome {
  const { code = "", responseCode } = error as { readonly code?: string; readonly responseCode?: number };
  if (typeof responseCode === "number" && responseCode >= 400) {
    // 421 at any stage: the server closes the connection.
    return {
      kind: "refused",
      status: responseCode,
      server: responseCode === 421 || !ABOUT_THE_MAIL.includes(code),
      offered,
    };
  }
  return { kind: "unreachable", error: code === "ETIMEDOUT" ? "timeout" : code || "unknown", offered };
}
