import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { PROGRAM_VARIABLES } from "#lib/server/variables/program-variables.ts";
import { SURROUNDING_VARIABLES } from "#lib/server/variables/surrounding-variables.ts";
import { parseText } from "#lib/server/variables/variable.ts";

/** A port of the demo: its variable, and what uses it ("the shop"). */
interface PortChoice {
  readonly name: string;
  readonly variable: typeof PROGRAM_VARIABLES.PORT | typeof SURROUNDING_VARIABLES.SHOP_PORT;
  readonly user: string;
}

const WEB: PortChoice = {
  name: "PORT",
  variable: PROGRAM_VARIABLES.PORT,
  user: "the payment page and the API",
};
const SHOP: PortChoice = {
  name: "SHOP_PORT",
  variable: SURROUNDING_VARIABLES.SHOP_PORT,
  user: "the shop",
};

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
  { name, variable, user }: PortChoice,
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
  other?: number,
): Promise<number> {
  const given = env[name]?.trim();
  const problems: string[] = [];
  const wanted = parseText(name, variable, given ? { [name]: given } : {}, problems);
  if (wanted === null) throw new Error(`${problems.join()}.`);
  const port = await choosePort(wanted, other);
  if (port === wanted) return port;
  if (given) throw new Error(`Port ${wanted} is taken. Set ${name} to a free port.`);
  say(`port ${wanted} is taken: ${user} will be on port ${port} (${name} sets another)`);
  return port;
}
