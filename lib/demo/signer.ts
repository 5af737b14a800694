import { fork } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { NetworkFamily } from "#lib/chains/network-data.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import type { DevChain } from "#lib/dev-chains/dev-chain.ts";
import { writeWhole } from "#lib/dev-chains/write-whole.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { readCommandConfig } from "#lib/server/config.ts";
import { deploySweeper } from "#lib/signer/evm/deploy-sweeper.ts";
import { findPayable } from "#lib/signer/families.ts";
import { signerFiles } from "#lib/signer/host-files.ts";
import { openJournal } from "#lib/signer/journal.ts";
import { sealMnemonic } from "#lib/signer/key-file.ts";
import { getFeeField, parsePolicy } from "#lib/signer/policy.ts";
import { policyName } from "#lib/signer/policy-rules.ts";
import { fillHotAccounts } from "./fill-hot-accounts.ts";
import type { DemoState } from "./state.ts";

const AGAIN_MS = 2_000;
/** In the unit of getFeeField. */
const FEE_CAPS: Readonly<Partial<Record<NetworkFamily, string>>> = {
  evm: "100",
  // Dogecoin asks for at least 1,000.
  utxo: "5000",
  tron: "100",
  solana: "0.01",
  xrp: "0.001",
};

/**
 * Starts the signer for the demo's chains, with the demo's own words and an account that the faucet fills. It pays up to 500 USDT or
 * 100 coins by itself, and sweeps deposits on EVM chains and Solana. `env` is the server's. It is started again when it was killed. Returns how to stop it.
 */
export async function startDemoSigner(
  {
    dataDir,
    state,
    chains,
  }: { readonly dataDir: string; readonly state: DemoState; readonly chains: readonly DevChain[] },
  env: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  const folder = join(dataDir, "signer");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = signerFiles(folder);
  const passphraseFile = join(folder, "passphrase");
  writeWhole(files.key, sealMnemonic(state.mnemonic, state.secretKey));
  writeWhole(passphraseFile, state.secretKey);
  const adapters = openNetworks(readCommandConfig(env).networks)
    .all()
    .filter((adapter) => findPayable(adapter) !== null);
  const networks = Object.fromEntries(adapters.map((adapter) => [policyName(adapter), policyOf(adapter)]));
  const approvals = readApprovals(files.policy);
  writeWhole(files.policy, `${JSON.stringify({ version: 1, networks, approvals }, null, 2)}\n`);
  const { mnemonic } = state;
  await fillHotAccounts({ mnemonic, databaseUrl: env.DATABASE_URL ?? "" }, adapters, chains);
  await deploySweepers({ folder, mnemonic, databaseUrl: env.DATABASE_URL ?? "" }, adapters, chains);
  return superviseSigner(folder, passphraseFile, env);
}

/** The approvers that somebody added to the policy of an earlier start. */
function readApprovals(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).approvals : undefined;
}

function policyOf({ network, data }: NetworkAdapter): object {
  const isSwept = data.family === "evm" || data.family === "solana";
  const above = (amount: string) => isSwept && { sweep_above: amount };
  const tokens = {
    ...(data.tokens.usdt && {
      usdt: { per_transfer: "1000", per_day: "5000", auto_up_to: "500", ...above("1") },
    }),
    ...(data.tokens[data.coin] && {
      [data.coin]: { per_transfer: "100", per_day: "1000", auto_up_to: "100", ...above("0.005") },
    }),
  };
  const fees = isSwept && { max_sweep_fee_percent: "20", sweep_fee_per_day: "0.5" };
  return { [getFeeField(network).name]: FEE_CAPS[data.family], ...fees, tokens };
}

/** The signer has the variables of the networks, and none of the server's secrets. */
function superviseSigner(folder: string, passphraseFile: string, env: Readonly<Record<string, string>>) {
  const own = Object.entries(env).filter(([name]) => /^(TEST_.*|DATABASE_URL|LOG_LEVEL)$/.test(name));
  const words = ["signer", "run", "--dir", folder, "--passphrase-file", passphraseFile];
  const log = createWriteStream(join(folder, "signer.log"), { flags: "a", mode: 0o600 });
  let stopping = false;
  let child = start();
  function start() {
    const started = fork(join(import.meta.dirname, "../cli/main.ts"), words, {
      cwd: folder,
      env: { PATH: process.env.PATH, NODE_ENV: "production", ...Object.fromEntries(own) },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      detached: true,
    });
    for (const stream of [started.stdout, started.stderr])
      stream?.on("data", (part: Buffer) => log.write(part));
    const again = () => {
      if (!stopping) child = start();
    };
    started.once("exit", () => setTimeout(again, AGAIN_MS));
    return started;
  }
  return async () => {
    stopping = true;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null && child.kill("SIGTERM")) await ended;
    log.end();
  };
}

/** Deploys the sweeper on each EVM chain that lacks it. Before the signer starts: the journal and the nonces have one user. */
async function deploySweepers(
  {
    folder,
    mnemonic,
    databaseUrl,
  }: {
    readonly folder: string;
    readonly mnemonic: string;
    readonly databaseUrl: string;
  },
  adapters: readonly NetworkAdapter[],
  chains: readonly DevChain[],
): Promise<void> {
  const files = signerFiles(folder);
  const { networks } = parsePolicy(readFileSync(files.policy, "utf8"), (_env, _network, address) => address);
  const journal = openJournal(files.journal);
  const database = openDatabase(databaseUrl, { max: 1 });
  const deps = { mnemonic, journal, db: database.db, now: () => new Date() };
  for (const adapter of adapters.filter(({ data }) => data.family === "evm")) {
    const policy = networks.get(policyName(adapter));
    if (policy === undefined) continue;
    await deploySweeper({ ...deps, adapter, policy });
    await chains.find(({ network }) => network === adapter.network)?.mine(1);
  }
  journal.close();
  await database.close();
}
