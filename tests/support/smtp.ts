import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import type { MailConfig } from "#lib/domain/mail/types.ts";
import { Arrivals, WakeUps } from "./wake-ups.ts";

/** The server's reaction to a message. `hang`: takes the bytes and never answers. `drop`: closes the connection instead. */
export type SmtpMood = "accept" | "hang" | "drop" | "refuse" | "defer" | "refuse-recipient";

/** A mail server on loopback without TLS that keeps what it accepted. */
export async function startSmtp(first: SmtpMood = "accept", port = 0) {
  let mood = first;
  const accepted: string[] = [];
  const messages = new WakeUps();
  /** Messages that were handed over whole, accepted or not. */
  const seen: string[] = [];
  const failWith = (code: number) =>
    Object.assign(new Error("no <ada@example.com> here"), { responseCode: code });
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo(_address, _session, done) {
      if (mood === "refuse-recipient") done(failWith(550));
      else done();
    },
    async onData(stream, _session, done) {
      const message = await text(stream).catch(() => null);
      // The sender closed the connection.
      if (message === null) return;
      seen.push(message);
      messages.wake();
      if (mood === "hang") return;
      if (mood === "drop") return endConnections();
      if (mood === "refuse") return done(failWith(554));
      if (mood === "defer") return done(failWith(451));
      accepted.push(message);
      messages.wake();
      done();
    },
  });
  const connections = () => (server as unknown as { connections: Set<{ _socket: Socket }> }).connections;
  const endConnections = () => {
    for (const { _socket } of connections()) _socket.destroy();
  };
  server.on("error", () => {});
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  return {
    port: (server.server.address() as AddressInfo).port,
    accepted,
    seen,
    /** Waits for a condition about messages. */
    until: messages.until.bind(messages),
    ids: () => accepted.map(messageIdOf),
    setMood(next: SmtpMood) {
      mood = next;
    },
    async close() {
      endConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}
export type SmtpFake = Awaited<ReturnType<typeof startSmtp>>;

export function messageIdOf(message: string): string {
  return /^message-id: <(.+)>\r?$/im.exec(message)?.[1] ?? "";
}

/** A server that accepts connections and says nothing, or that trickles bytes without ever ending a line. */
export async function startSilent({ trickle = false } = {}) {
  const sockets = new Arrivals<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    const timer = trickle ? setInterval(() => socket.write("2"), 20) : undefined;
    socket.on("close", () => clearInterval(timer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connected: () => sockets.at(0),
    async close() {
      for (const socket of sockets.all) socket.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

export function mailConfig(port: number): MailConfig {
  return {
    server: { host: "127.0.0.1", port, tls: "none", login: null },
    from: { name: "Pay", address: "pay@example.com" },
    publicUrl: "https://pay.example.com",
  };
}
