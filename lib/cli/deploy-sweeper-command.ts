import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { hasTransactions, type TransactionNetwork } from "#lib/chains/network.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { takeSignerLock } from "#lib/domain/withdrawals/signer/signer-lock.ts";
import { requireLastingSessions } from "#lib/platform/db/addresses.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { isRestoreUnfinished, UNFINISHED_RESTORE } from "#lib/platform/db/unfinished-restore.ts";
import { readCommandConfig } from "#lib/server/config.ts";
import { type DeployedSweeper, deploySweeper } from "#lib/signer/evm/deploy-sweeper.ts";
import { signerFiles } from "#lib/signer/host-files.ts";
import { openJournal } from "#lib/signer/journal.ts";
import { policyName } from "#lib/signer/policy-rules.ts";
import { type Cli, CommandRefusal } from "./cli.ts";
import { openWords, type Place, readPolicy, requireDatabaseUrl } from "./signer-place.ts";

const ASK_EVERY_MS = 1_000;
const MOST_ASKED = 300;

const REFUSALS = {
  not_evm: "this network needs no sweeper: only EVM networks do",
  no_deployment_proxy: "the deterministic deployment proxy 0x4e59…956c is not on this network",
  network_fee_too_high: "the network asks for more than max_fee_per_gas_gwei of the policy",
  nonce_not_mine:
    "a node says that something else has sent from the hot account: run the command again when that is final",
  hot_balance_too_low: "the hot account lacks coins for the fee",
} as const satisfies Record<Exclude<DeployedSweeper, { ok: true }>["reason"], string>;

/** Deploys the sweeper of a network and waits until a block has it. Has the signer's lock meanwhile: both use the journal and the nonces. */
export async function deploySweeperCommand(
  cli: Cli,
  place: Place & { readonly network: string },
): Promise<void> {
  const { databaseUrl, networks: configured } = readCommandConfig(cli.env);
  const url = requireDatabaseUrl(databaseUrl);
  const networks = openNetworks(configured);
  const adapter = networks
    .all()
    .filter(hasTransactions)
    .find((one) => policyName(one) === place.network);
  const policy = readPolicy(place.dir, networks).networks.get(place.network);
  if (adapter === undefined || policy === undefined)
    throw new CommandRefusal(
      `${place.network} is not configured, or not in the policy: write its name as there, such as live.bep20`,
    );
  const mnemonic = await openWords(cli, place);
  await requireLastingSessions(url);
  const lock = new pg.Client({ connectionString: url, application_name: "paylink signer" });
  await lock.connect();
  const database = openDatabase(url, { max: 1, applicationName: "paylink signer" });
  try {
    if (!(await takeSignerLock(lock)))
      throw new CommandRefusal("the signer runs: stop it, deploy the sweeper, and start it again");
    if (await isRestoreUnfinished(database.db)) throw new CommandRefusal(UNFINISHED_RESTORE);
    const journal = openJournal(signerFiles(place.dir).journal);
    const deps = { adapter, mnemonic, policy, journal, db: database.db, now: cli.now };
    const done = await deploySweeper(deps);
    if (!done.ok) throw new CommandRefusal(REFUSALS[done.reason]);
    const { sweeper, vault, hash } = done;
    if (hash !== null) await waitForBlock(adapter, hash);
    cli.print({ network: place.network, sweeper, pays_only: vault, transaction: hash });
  } finally {
    await Promise.all([database.close(), lock.end()]);
  }
}

async function waitForBlock(adapter: TransactionNetwork, hash: string): Promise<void> {
  for (let asked = 0; asked < MOST_ASKED; asked++) {
    const { kind } = await adapter.transactions.fetchStatus(hash);
    if (kind === "confirmed") return;
    if (kind === "failed") throw new CommandRefusal(`the transaction ${hash} has failed`);
    await delay(ASK_EVERY_MS);
  }
  throw new CommandRefusal(`the transaction ${hash} is in no block yet: run the command again later`);
}
