import { createServer } from "node:net";

/** Returns `wanted` if it is free on 127.0.0.1 and not in `taken`, else any free port. */
export async function choosePort(wanted: number, taken?: number): Promise<number> {
  return (wanted !== taken && (await tryPort(wanted))) || (await tryPort(0)) || 0;
}

/** A port of the demo: its variable, its default, and what uses it ("the shop"). */
interface PortChoice {
  readonly variable: "PORT" | "SHOP_PORT";
  readonly standard: number;
  readonly user: string;
}

const WEB: PortChoice = { variable: "PORT", standard: 3000, user: "the payment page and the API" };
const SHOP: PortChoice = { variable: "SHOP_PORT", standard: 3001, user: "the shop" };

/**
 * Chooses the demo's ports. A default port that is taken is replaced by a free one, and `say` names both. Throws when
 * a port that was set by hand is taken or is no port: a caller relies on it.
 */
export async function chooseDemoPorts(
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
): Promise<{ readonly web: number; readonly shop: number }> {
  const web = await chooseDemoPort(WEB, env, say);
  return { web, shop: await chooseDemoPort(SHOP, env, say, web) };
}

async function chooseDemoPort(
  { variable, standard, user }: PortChoice,
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
  other?: number,
): Promise<number> {
  const given = env[variable]?.trim();
  const wanted = given ? Number(given) : standard;
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65_535)
    throw new Error(`${variable} must be a port from 1 to 65535, not ${given}.`);
  const port = await choosePort(wanted, other);
  if (port === wanted) return port;
  if (given) throw new Error(`Port ${wanted} is taken. Set ${variable} to a free port.`);
  say(`port ${wanted} is taken: ${user} will be on port ${port} (${variable} sets another)`);
  return port;
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : null));
    });
  });
}
