import { type ConnectionOptions, connect } from "node:tls";
import { pino } from "pino";
import { findMailTrouble } from "#lib/domain/mail/send-mail.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { CommandConfig } from "#lib/server/config.ts";
import { codeOf, type Finding, failed, ok, warning } from "./finding.ts";

const CONNECT_MS = 5_000;
const DAY_MS = 86_400_000;
/** A certificate that is renewed by a program is renewed a month before its end. */
const RENEW_DAYS = 14;
const PROXY = "docs/operate/proxy.md";

const hasLive = ({ networks }: CommandConfig) => networks.some(({ env }) => env === "live");

/** Checks the addresses at which people reach the pages. */
export async function checkTls(config: CommandConfig, now: Date): Promise<readonly Finding[]> {
  const origins = new Map([
    [new URL(config.paymentUrl).origin, "PAYMENT_URL"],
    [new URL(config.publicUrl).origin, "PUBLIC_URL"],
  ]);
  return Promise.all(
    [...origins].map(async ([origin, variable]) => {
      const { protocol, hostname } = new URL(origin);
      if (protocol === "https:") return checkCertificate(`tls ${hostname}`, new URL(origin), now);
      const found = `${variable} is ${origin}`;
      const advice = `Put a proxy with a certificate in front, and set ${variable}=https://your.host (${PROXY}).`;
      if (hasLive(config)) return failed("tls", `${found}, and a live network is on`, advice);
      const isLocal = /^(localhost|127\.|\[::1\])/.test(hostname);
      return isLocal ? ok("tls", `${found}: this machine alone`) : warning("tls", found, advice);
    }),
  );
}

async function checkCertificate(check: string, { hostname, port }: URL, now: Date): Promise<Finding> {
  const shown = await readCertificate({
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port || 443),
    servername: /^[\d.[]/.test(hostname) ? "" : hostname,
  });
  if ("code" in shown)
    return failed(
      check,
      `https does not answer (${shown.code})`,
      `Start the proxy, and check the name's DNS entry and the firewall (${PROXY}). From inside some networks it answers to others only.`,
    );
  const days = Math.floor((shown.endsAt.getTime() - now.getTime()) / DAY_MS);
  const renew = `Renew it, with the whole chain, such as by \`certbot renew\` (${PROXY}).`;
  if (shown.problem !== null)
    return failed(check, `browsers refuse the certificate: ${shown.problem}`, renew);
  if (days < 0) return failed(check, "the certificate has expired", renew);
  if (days < RENEW_DAYS) return warning(check, `the certificate ends in ${days} days`, renew);
  return ok(check, `the certificate is valid for ${days} days`);
}

function readCertificate(
  options: ConnectionOptions,
): Promise<{ readonly problem: string | null; readonly endsAt: Date } | { readonly code: string }> {
  return new Promise((resolve) => {
    // A wrong certificate is reported, not refused: nothing is sent.
    const socket = connect({ ...options, rejectUnauthorized: false }, () => {
      const { authorized, authorizationError } = socket;
      const endsAt = new Date(socket.getPeerCertificate().valid_to);
      resolve({ problem: authorized ? null : codeOf({ code: String(authorizationError) }), endsAt });
      socket.destroy();
    });
    socket.setTimeout(CONNECT_MS, () => socket.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })));
    socket.once("error", (error) => resolve({ code: codeOf(error) }));
  });
}

/** Connects to the mail server and signs in. */
export async function checkMail({ mail }: CommandConfig): Promise<readonly Finding[]> {
  if (mail === null) return [ok("mail", "off: SMTP_URL is not set")];
  const { host, port } = mail.server;
  const place = `${host}:${port}`;
  const trouble = await findMailTrouble(mail);
  if (trouble === null) return [ok("mail", `${place} accepts this sender's session`)];
  const page = "Then try `paylink mail test --to you@example.com`: docs/operate/mail.md.";
  if (trouble.kind === "refused")
    return [
      failed(
        "mail",
        `${place} refuses with status ${trouble.status}`,
        `Ask the mail server's operator: it may not accept this machine, or SMTP_URL has a wrong user or password. ${page}`,
      ),
    ];
  const error = "error" in trouble ? trouble.error : "interrupted";
  return [
    failed(
      "mail",
      `${place} cannot be used (${error})`,
      `Check host, port and scheme of SMTP_URL, user and password, and that the firewall lets mail out. ${page}`,
    ),
  ];
}

/** Asks every price source once. */
export async function checkPrices(config: CommandConfig, now: () => Date): Promise<readonly Finding[]> {
  if (config.fixedRates !== null) {
    if (!hasLive(config)) return [ok("prices", "FIXED_RATES replaces the market")];
    return [
      warning(
        "prices",
        "FIXED_RATES replaces the market, and a live network is on",
        "Take FIXED_RATES out: payers would pay fixed prices. A merchant may have its own: `merchant update --fixed-rates`.",
      ),
    ];
  }
  const rates = openRates({ fixed: null, keys: config.priceKeys, log: pino({ level: "silent" }) });
  await rates.refresh();
  const asked = rates.sources().filter(({ idle }) => idle === null);
  const answering = asked.filter(({ prices }) => prices.length > 0);
  const found = `${answering.length} of ${asked.length} sources answer`;
  if (answering.length === 0)
    return [
      failed(
        "prices",
        `none of ${asked.length} sources answers`,
        "Web and worker need outgoing HTTPS: check firewall, proxy and DNS. `paylink rates` shows each source's error.",
      ),
    ];
  const missing = (Object.keys(TOKENS) as TokenCode[]).filter(
    (token) => rates.current(token, "usd", now()) === null,
  );
  if (missing.length === 0) return [ok("prices", found)];
  return [
    warning(
      "prices",
      `${found}; no two agree on ${missing.join(", ")}`,
      "Links show no amount in these. `paylink rates` shows each source's error; docs/operate/nodes.md has the keys of sources.",
    ),
  ];
}
