import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { findTransactionNetwork } from "#lib/chains/network.ts";
import type { ChainSigner, Observed } from "#lib/signer/chain-signer.ts";
import { openJournal } from "#lib/signer/journal.ts";
import { openPayer } from "#lib/signer/pay-network.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import type { JournalEntry } from "#lib/signer/types.ts";
import { findDead } from "#lib/signer/utxo/outcome-rules.ts";
import { testDatabase } from "#tests/support/database.ts";
import { policyText } from "#tests/support/signer-world.ts";
import { bep20, log } from "#tests/support/watched-chain.ts";

const anEntry = (hash: string, spends: string): JournalEntry => ({
  ...{ at: new Date(), kind: "cancel", env: "test", network: "bep20", payouts: [], moves: [] },
  ...{ spends: [spends], expires: null, hash, raw: hash },
});

/** In the order in which they were signed. "final" excludes the first, and with it what spends its output. */
const SIGNED = [
  ["replaced", "input"],
  ["child", "replaced:0"],
  ["grandchild", "child:1"],
  ["final", "input"],
] as const;

for (const kept of [1, 2, 3])
  test(`a kill after ${kept} of 4 outcomes leaves nothing that can never be decided`, (t) =>
    killAfter(t, kept));

/** The signer is killed after it has stored some outcomes. The next one settles the rest. */
async function killAfter(t: TestContext, kept: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "paylink-signer-"));
  const database = await testDatabase();
  t.after(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });
  const path = join(folder, "journal.jsonl");
  const adapter = findTransactionNetwork(bep20("http://127.0.0.1:1"), { env: "test", network: "bep20" })!;
  const policy = parsePolicy(policyText(), (_env, _network, address) => address);
  /** "final" is in a final block. A transaction that spends the same is dead, as on bitcoin. */
  const observe = async (own: readonly JournalEntry[]): Promise<Observed> => {
    const final = own.filter(({ hash }) => hash === "final");
    const dead = findDead(own, final);
    const settled = [
      ...final.map((entry) => ({ entry, outcome: "final" as const })),
      ...dead.map((entry) => ({ entry, outcome: "dead" as const })),
    ];
    return { settled, waiting: [], headTime: new Date() };
  };
  const chain = { account: "0x", mostPayouts: 1, mostWaiting: 1, observe } as unknown as ChainSigner;
  const payer = (journal: ReturnType<typeof openJournal>) =>
    openPayer({ db: database.db, adapter, chain, journal, policy: () => policy, log, now: () => new Date() });
  const dying = openJournal(path);
  for (const [hash, spends] of SIGNED) dying.append(anEntry(hash, spends));
  const { settle } = dying;
  let lines = 0;
  dying.settle = (...line) => {
    lines += 1;
    if (lines > kept) throw new Error("killed");
    settle(...line);
  };
  await assert.rejects(payer(dying).step(), /killed/);
  const next = openJournal(path);
  await payer(next).step();
  assert.deepEqual(next.listOpen("test.bep20"), []);
  assert.deepEqual(
    SIGNED.map(([hash]) => next.outcomeOf(hash)),
    ["dead", "dead", "dead", "final"],
  );
}
