import { randomInt } from "node:crypto";
import { getFamily } from "#lib/chains/families.ts";
import type { Env, NetworkData } from "#lib/chains/network-data.ts";
import { NETWORK_CODES, NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { accountVariable, readNetworkAt, readNetworks } from "#lib/server/network-config.ts";
import { variableName } from "#lib/server/variables/network-variables.ts";
import type { Cli } from "../cli.ts";
import { checkNodes } from "../doctor/check-nodes.ts";
import { ask, askYesOrNo, oneOf, WrongAnswer } from "./ask.ts";
import { applyChanges, type Changes, type Variables } from "./env-file.ts";

/** Wrong answers to the question for a word of a new wallet. Then its paper is not of this wallet. */
const WORD_TRIES = 3;

/** Asks for networks with their nodes, and tries each node at once. `known` are the variables so far. */
export async function askNetworks(cli: Cli, env: Env, known: Variables): Promise<Changes> {
  let changes: Changes = {};
  for (;;) {
    const now = applyChanges(known, changes);
    const on = NETWORK_CODES.filter((network) => now[variableName({ env, network }, "RPC_URL")]);
    if (on.length > 0) cli.printMessage(`  On in ${env}: ${on.join(", ")}.`);
    const network = await ask(cli, `Network (${NETWORK_CODES.join(", ")}; empty: no more)`, (answer) => {
      if (answer === "" && on.length > 0) return null;
      const found = NETWORK_CODES.find((code) => code === answer.toLowerCase());
      if (found === undefined) throw new WrongAnswer("Answer one of these networks. At least one is needed.");
      return found;
    });
    if (network === null) return changes;
    changes = { ...changes, ...(await askNode(cli, { env, network }, now)) };
  }
}

interface Place {
  readonly env: Env;
  readonly network: NetworkCode;
}

function askNode(cli: Cli, place: Place, known: Variables): Promise<Changes> {
  const { env, network } = place;
  const variable = variableName(place, "RPC_URL");
  return ask(cli, `  URL of a node of ${network}, ${env} (${variable})`, async (answer) => {
    if (answer === "") throw new WrongAnswer("Without a node the network is off.");
    const url = { [variable]: answer };
    requireValid(url, variable);
    const development = env === "test" ? await takeDevelopmentChain(cli, network, answer) : null;
    if (development !== null) return { ...url, ...development };
    const changes = { ...url, ...(await dropDevelopmentChain(place, known)) };
    // As the server does, with what else is set: headers, chain, contracts.
    const { config, problems } = readNetworkAt(place, applyChanges(known, changes));
    if (problems[0] !== undefined) throw new WrongAnswer(`${problems[0]}.`);
    const accountKey = config.accountKey || (getFamily(network).accountKey?.example ?? "");
    for (const { status, found, advice } of await checkNodes([{ ...config, accountKey }], cli.now)) {
      if (status === "failed") throw new WrongAnswer(`${found}. ${advice}`);
      cli.printMessage(`  The node answers: ${found}.`);
    }
    return changes;
  });
}

/** Takes out what belongs to the development chain of an earlier set-up: another node has another chain and other tokens. */
async function dropDevelopmentChain({ env, network }: Place, known: Variables): Promise<Changes> {
  const { USDT_ADDRESS } = await import("#lib/dev-chains/payers/deploy-test-usdt.ts");
  const contractOf = (code: NetworkCode) => variableName({ env, network: code }, "USDT_CONTRACT");
  const isDevelopment = (code: NetworkCode) => known[contractOf(code)]?.toLowerCase() === USDT_ADDRESS;
  if (env !== "test" || !isDevelopment(network)) return {};
  const isLast = !NETWORK_CODES.some((code) => code !== network && isDevelopment(code));
  return {
    [variableName({ env, network }, "CHAIN_ID")]: null,
    [contractOf(network)]: null,
    ...(isLast ? { SANDBOX: null } : {}),
  };
}

/** anvil with any chain id can stand in for an EVM network. Null: it is another node, or is not wanted. */
async function takeDevelopmentChain(cli: Cli, network: NetworkCode, url: string): Promise<Variables | null> {
  const { tokens }: NetworkData = NETWORKS[network];
  if (!getFamily(network).hasTraces || url.includes(",")) return null;
  // They load what the other networks do not need.
  const { deployUsdt, findDevelopmentChain } = await import("#lib/dev-chains/payers/deploy-test-usdt.ts");
  const chainId = await findDevelopmentChain(url).catch((error: unknown) => {
    if (error instanceof NodeError) return null;
    throw error;
  });
  if (chainId === null) return null;
  const question = `  This is a development chain (anvil, chain ${chainId}). Use it, with a test USDT and the sandbox`;
  if (!(await askYesOrNo(cli, question, "yes"))) return null;
  const usdt = await deployUsdt(url, tokens.usdt ?? {});
  return {
    [variableName({ env: "test", network }, "CHAIN_ID")]: String(chainId),
    [variableName({ env: "test", network }, "USDT_CONTRACT")]: usdt,
    SANDBOX: "on",
  };
}

/** Refuses an answer that the server would refuse at its start. */
function requireValid(values: Variables, variable: string): void {
  const problem = readNetworks(values).problems.find((line) => line.startsWith(`${variable} `));
  if (problem !== undefined) throw new WrongAnswer(`${problem}.`);
}

/** Asks for the account keys of the networks that are on and have none. */
export async function askWallet(cli: Cli, env: Env, known: Variables): Promise<Variables> {
  const lacking = NETWORK_CODES.filter((network) => {
    const variable = accountVariable(env, network);
    return known[variableName({ env, network }, "RPC_URL")] && variable !== null && !known[variable];
  });
  if (lacking.length === 0) return {};
  if (env === "live")
    cli.printMessage(
      "Words of real money are best made on a machine that is offline: `wallet new` there, and its keys here (own). " +
        "See docs/operate/wallets.md.",
    );
  for (;;) {
    const kind = await ask(
      cli,
      "Wallet: new makes 24 words now, own asks for the public keys of your wallet",
      oneOf("new", "own"),
      env === "test" ? "new" : "own",
    );
    const keys = await (kind === "new" ? makeWallet(cli, env, lacking) : askKeys(cli, env, lacking, known));
    if (keys !== null) return keys;
  }
}

async function askKeys(
  cli: Cli,
  env: Env,
  networks: readonly NetworkCode[],
  known: Variables,
): Promise<Variables> {
  const values: Record<string, string> = {};
  for (const network of networks) {
    const variable = accountVariable(env, network) ?? "";
    values[variable] = await ask(cli, `  ${variable}, the public key or account of ${network}`, (answer) => {
      if (answer === "") throw new WrongAnswer("Without it the network is off.");
      requireValid({ ...known, ...values, [variable]: answer }, variable);
      return answer;
    });
    showFirstAddress(cli, { ...known, ...values }, env, network);
  }
  return values;
}

/** Shows the words of a new wallet. Null if the person cannot repeat one of them: the wallet is then not used. */
async function makeWallet(cli: Cli, env: Env, networks: readonly NetworkCode[]): Promise<Variables | null> {
  const { mnemonic, accounts } = createWallet();
  const words = mnemonic.split(" ");
  cli.printMessage(
    "Write these 24 words down on paper. They are shown once and stored nowhere. Anyone with them can spend:",
  );
  cli.printMessage(words.map((word, i) => `${i + 1} ${word}`).join("  "));
  if (!(await askWord(cli, words))) {
    cli.printMessage("  This wallet is not used: destroy the paper. Choose again, or end setup with Ctrl-C.");
    return null;
  }
  return Object.fromEntries(
    accounts.flatMap((one) =>
      one.env === env && networks.includes(one.network)
        ? [[accountVariable(env, one.network) ?? "", one.xpub]]
        : [],
    ),
  );
}

/** Asks for one of the words. Returns false after an empty answer or three wrong ones. */
function askWord(cli: Cli, words: readonly string[]): Promise<boolean> {
  const place = randomInt(words.length);
  const number = place + 1;
  let left = WORD_TRIES;
  return ask(cli, `Word ${number} of your paper (empty: choose again)`, (answer) => {
    if (answer.toLowerCase() === words[place]) return true;
    left -= 1;
    if (answer === "" || left === 0) return false;
    throw new WrongAnswer(`This is not word ${number}: look at your paper. Tries left: ${left}.`);
  });
}

/** To compare with the wallet: a key of another account would receive where nobody looks. */
function showFirstAddress(cli: Cli, values: Variables, env: Env, network: NetworkCode): void {
  const config = readNetworks(values).keyed.find((one) => one.env === env && one.network === network);
  const [adapter] = config === undefined ? [] : openNetworks([config]).all();
  if (adapter === undefined) return;
  const { address, path } = adapter.addresses.derive(0);
  cli.printMessage(
    `  Its first address, ${path}: ${adapter.addresses.display(address)}. Your wallet must show the same.`,
  );
}
