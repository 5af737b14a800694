import { readFileSync } from "node:fs";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { DevChain } from "#lib/dev-chains/dev-chain.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { deploySweeper } from "#lib/signer/evm/deploy-sweeper.ts";
import { signerFiles } from "#lib/signer/host-files.ts";
import { openJournal } from "#lib/signer/journal.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import { policyName } from "#lib/signer/policy-rules.ts";

/** Deploys the sweeper on each EVM chain that lacks it. Before the signer starts: the journal and the nonces have one user. */
export async function deploySweepers(
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
