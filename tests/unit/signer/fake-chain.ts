import assert from "node:assert/strict";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { inArray } from "drizzle-orm";
import { findTransactionNetwork } from "#lib/chains/network.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { ChainSigner, MoveDraft } from "#lib/signer/chain-signer.ts";
import { openJournal } from "#lib/signer/journal.ts";
import { openPayer } from "#lib/signer/pay-network.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import type { HoldReason, JournalEntry, TransactionOutcome } from "#lib/signer/types.ts";
import { testDatabase } from "#tests/support/database.ts";
import { folderOf } from "#tests/support/folders.ts";
import { policyText } from "#tests/support/signer-world.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { bep20, log } from "#tests/support/watched-chain.ts";
import { operatorSteps } from "#tests/support/withdrawal-steps.ts";
import { aWithdrawal, fund, USDT } from "#tests/support/withdrawals.ts";

export const EMAIL = "shop@example.com";
export const place = (n: number) => `0x${(2n ** 100n + BigInt(n)).toString(16).padStart(40, "0")}`;

/** A chain that is a fake. `expires`: as TRON and Solana, where nothing excludes a transaction. Otherwise each spends an input. */
function aChain({ mostPayouts = 1, expires = false } = {}) {
  const outcomes = new Map<string, TransactionOutcome | "in block">();
  const sent: string[] = [];
  const refused = new Map<string, HoldReason>();
  const moves: MoveDraft[] = [];
  const asked = { times: 0 };
  /** The time that the node reports for its newest block. Absent: now. */
  const said: { headTime?: () => Date } = {};
  let count = 0;
  const signed = () => {
    count += 1;
    return { hash: `hash-${count}`, raw: `raw-${count}` };
  };
  const draft = (payouts: JournalEntry["payouts"], spends: readonly string[]) => ({
    payouts,
    spends,
    expires: expires ? 1 : null,
    cost: { fee: 1n, most: 1n },
    sign: async () => signed(),
  });
  const chain: ChainSigner = {
    account: place(0),
    mostPayouts,
    mostWaiting: 16,
    checkPayout: () => null,
    async observe(own) {
      asked.times += 1;
      const outcomeOf = ({ hash }: JournalEntry) => outcomes.get(hash);
      const settled = own.flatMap((entry) => {
        const outcome = outcomeOf(entry);
        return outcome === "final" || outcome === "dead" ? [{ entry, outcome }] : [];
      });
      const waiting = own.filter(
        (entry) =>
          outcomeOf(entry) === undefined &&
          !own.some(
            (later) =>
              later !== entry &&
              own.indexOf(later) > own.indexOf(entry) &&
              later.spends.some((one) => entry.spends.includes(one)),
          ),
      );
      return { settled, waiting, headTime: said.headTime?.() ?? new Date() };
    },
    async prepare(payouts) {
      const held = new Map(
        payouts.flatMap(({ refid }) => (refused.has(refid) ? [[refid, refused.get(refid)!] as const] : [])),
      );
      const paid = payouts.filter(({ refid }) => !held.has(refid));
      return { held, draft: paid.length === 0 ? null : draft(paid, expires ? [] : [`input-${count + 1}`]) };
    },
    ...(!expires && {
      prepareReplacement: async (entry, purpose) => (purpose === "cancel" ? draft([], entry.spends) : null),
    }),
    prepareMove: async () => moves.shift() ?? null,
    broadcast: async ({ hash }) => void sent.push(hash),
  };
  return { chain, outcomes, sent, refused, moves, asked, said };
}

/** A signer over such a chain, with a database, a merchant with 1,000 USDT and a journal. */
export async function aWorld(t: TestContext, options?: Parameters<typeof aChain>[0]) {
  const { db, close } = await testDatabase();
  t.after(close);
  const networks = bep20("http://127.0.0.1:1");
  const adapter = findTransactionNetwork(networks, { env: "test", network: "bep20" })!;
  const deps = { db, networks };
  await fund(db, adapter, await aMerchant(db, EMAIL), 1_000n * USDT);
  const fake = aChain(options);
  const path = join(folderOf(t), "journal.jsonl");
  const file = JSON.parse(policyText());
  const { tokens, ...fees } = file.networks["test.bep20"];
  file.networks["test.erc20"] = { ...fees, tokens: { usdt: tokens.usdt } };
  const policy = parsePolicy(JSON.stringify(file), (_env, _network, address) => address.toLowerCase());
  const clock = { now: Date.now() };
  const payer = (journal = openJournal(path)) =>
    openPayer({
      db,
      adapter,
      chain: fake.chain,
      journal,
      policy: () => policy,
      log,
      now: () => new Date(clock.now),
    });
  let made = 0;
  return {
    ...{ db, deps, clock, payer, path, ...fake },
    ask(to?: string) {
      made += 1;
      return aWithdrawal(deps, EMAIL, { amount: USDT, to: to ?? place(100 + made) });
    },
    rows: async (ids: readonly number[]) =>
      (
        await db
          .select()
          .from(withdrawals)
          .where(inArray(withdrawals.id, [...ids]))
          .orderBy(withdrawals.id)
      ).map(({ status, transactions }) => [status, transactions.map(({ hash }) => hash)] as const),
    entries: () =>
      openJournal(path).entries.map(({ kind, hash, payouts }) => [kind, hash, payouts.length] as const),
    fail: operatorSteps(deps).fail,
    /** A payer that is killed when the journal has its next line. */
    async dieAfterJournal() {
      const journal = openJournal(path);
      const append = journal.append;
      journal.append = (entry) => {
        append(entry);
        throw new Error("killed");
      };
      await assert.rejects(payer(journal).step(), /killed/);
    },
  };
}
