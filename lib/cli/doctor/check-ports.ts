import { createServer } from "node:net";
import type { CommandConfig } from "#lib/server/config.ts";
import { codeOf, type Finding, failed, ok } from "./finding.ts";

const ANSWER_MS = 2_000;

/** Checks that each port is this program's, or free. */
export async function checkPorts(config: CommandConfig): Promise<readonly Finding[]> {
  const { host, roles, port, consolePort, operationsPort } = config;
  const ports = [
    ...(roles.has("web") ? [["PORT", port] as const] : []),
    ...(roles.has("web") && consolePort !== null ? [["CONSOLE_PORT", consolePort] as const] : []),
    ...(operationsPort !== null ? [["OPERATIONS_PORT", operationsPort] as const] : []),
  ];
  const running = await isPaylink(host, port);
  return Promise.all(
    ports.map(async ([variable, number]) => {
      // The console's own port has pages alone.
      const isOurs = variable === "CONSOLE_PORT" ? running : await isPaylink(host, number);
      return isOurs ? ok(`port ${number}`, "Paylink answers") : checkFreePort(variable, host, number);
    }),
  );
}

async function checkFreePort(variable: string, host: string, port: number): Promise<Finding> {
  const check = `port ${port}`;
  const code = await tryToListen(host, port);
  if (code === null) return ok(check, "free");
  const texts: Readonly<Record<string, readonly [found: string, advice: string]>> = {
    EADDRINUSE: [
      "another program uses it",
      `Stop that program (\`ss -ltnp 'sport = :${port}'\` names it), or set ${variable} to another port, also in the proxy.`,
    ],
    EACCES: [
      "this user may not listen there",
      `Ports below 1024 are root's: set ${variable} to a higher one, such as 3000, behind a proxy (docs/operate/proxy.md).`,
    ],
    EADDRNOTAVAIL: [
      `${host} is not an address of this machine`,
      "Set HOST to 127.0.0.1 behind a proxy on this machine, else to one of its own addresses or 0.0.0.0.",
    ],
  };
  const [found, advice] = texts[code] ?? [
    `cannot listen on ${host} (${code})`,
    `Check HOST and ${variable}.`,
  ];
  return failed(check, found, advice);
}

/** True if a process of Paylink answers there. */
async function isPaylink(host: string, port: number): Promise<boolean> {
  const reached = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const base = `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
  try {
    const answer = await fetch(`${base}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return (await answer.text()) === '{"status":"ok"}';
  } catch {
    return false;
  }
}

/** Null if the port is free, else the code of the error. */
export function tryToListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(codeOf(error)));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}
