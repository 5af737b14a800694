import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { eq } from "drizzle-orm";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { type Journal, JournalError, openJournal } from "#lib/signer/journal.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import { openSigner, type SignerDeps, type SignerNetwork, stepNetwork } from "#lib/signer/run-signer.ts";
import { testDatabase } from "./database.ts";
import { EMAIL, WORDS } from "./signer-world.ts";
import { aMerchant } from "./unmatched.ts";
import { log } from "./watched-chain.ts";
import { withdrawalSteps } from "./withdrawal-steps.ts";
import { aWithdrawal, fund } from "./withdrawals.ts";

/** A chain that a test runs, as far as the signer's world needs it. */
export interface PayoutChain {
  readonly network: NetworkCode;
  readonly networks: NetworkRegistry;
  /** The network's part of the policy file. */
  readonly policy: object;
  /** What the merchant can withdraw, in ledger units. */
  readonly balances: Readonly<Partial<Record<TokenCode, bigint>>>;
  /** Called before anything is allocated. */
  prepare?(db: Db): Promise<void>;
  /** Makes what is in a block final. */
  finalize(): Promise<void> | void;
}

/** A signer of the test environment over a chain, with a database, a merchant and a journal. */
export async function payoutWorld(t: TestContext, chain: PayoutChain) {
  const { network, networks } = chain;
  const database = await testDatabase();
  const { db } = database;
  const folder = mkdtempSync(join(tmpdir(), "paylink-signer-"));
  t.after(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const adapter = networks.find("test", network);
  if (adapter === null) throw new Error(`${network} is off`);
  const deps = { db, networks };
  await chain.prepare?.(db);
  const merchantId = await aMerchant(db, EMAIL);
  for (const [token, amount] of Object.entries(chain.balances))
    await fund(db, adapter, merchantId, amount, token as TokenCode);
  const journalPath = join(folder, "journal.jsonl");
  let journal: Journal | null = null;
  const steps = withdrawalSteps(deps, log);

  /** The text of a policy file. `changes` of the network's policy. */
  const policyText = (changes: object = {}) =>
    JSON.stringify({ version: 1, networks: { [`test.${network}`]: { ...chain.policy, ...changes } } });
  /** A signer as after its process began: with the journal that is on the disk. */
  const start = (changes: object = {}, other: Partial<SignerDeps> = {}): SignerNetwork => {
    journal?.close();
    journal = openJournal(journalPath);
    const policy = parsePolicy(policyText(changes), (_env, _network, address) =>
      adapter.canonicalizeAddress(address),
    );
    const given = { ...deps, mnemonic: WORDS, journal, policy: () => policy, log, ...other };
    const [opened] = openSigner(given);
    if (opened === undefined) throw new Error("the signer pays nowhere");
    return opened;
  };
  return {
    ...{ database, ...deps, adapter, merchantId, journalPath, folder, start, policyText },
    ...steps,
    create: (token: TokenCode, amount: bigint, to: string) =>
      aWithdrawal(deps, EMAIL, { network, token, amount, to }),
    journal: () => openJournal(journalPath).entries,
    step: (signer: SignerNetwork) => stepNetwork(signer, log),
    async settle() {
      await chain.finalize();
      await steps.follow();
    },
    status: async (id: number) => (await steps.row(id)).status,
    /** Changes the destination of a withdrawal in the database, as an attacker with write access to it. */
    async point(withdrawal: WithdrawalRow, toAddress: string): Promise<WithdrawalRow> {
      await db.update(withdrawals).set({ toAddress }).where(eq(withdrawals.id, withdrawal.id));
      return { ...withdrawal, toAddress };
    },
    /** A journal whose process is killed after the line is on the disk. */
    dyingJournal(): Journal {
      const dying = openJournal(journalPath);
      const append = dying.append;
      dying.append = (entry) => {
        append(entry);
        throw new JournalError("killed");
      };
      return dying;
    },
  };
}
export type PayoutWorld = Awaited<ReturnType<typeof payoutWorld>>;
