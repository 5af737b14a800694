import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
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

const anEntry = (hash: string): JournalEntry => ({
  ...{ at: new Date(), kind: "cancel", env: "test", network: "bep20", payouts: [], moves: [] },
  ...{ spends: ["input"], expires: null, hash, raw: hash },
});

test("a kill between what is final and what it excludes leaves nothing that can never be decided", async (t) => {
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
  for (const hash of ["replaced", "final"]) dying.append(anEntry(hash));
  const { settle } = dying;
  let lines = 0;
  dying.settle = (...line) => {
    lines += 1;
    if (lines > 1) throw new Error("killed");
    settle(...line);
  };
  await assert.rejects(payer(dying).step(), /killed/);
  const next = openJournal(path);
  await payer(next).step();
  assert.deepEqual(next.listOpen("test.bep20"), []);
});
