import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { NodeAnswer } from "#lib/chains/network.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import type { ChainSigner } from "#lib/signer/chain-signer.ts";
import { openOutcomeCheck } from "#lib/signer/check-outcomes.ts";
import type { EntryKind, JournalEntry, TransactionOutcome } from "#lib/signer/types.ts";

type Says = "failed" | "paid" | "absent" | "not final" | "off";

/** The answers of nodes about one final transaction, and the result of findFailed. */
async function outcomeOf(
  says: readonly Says[],
  {
    kind = "payout" as EntryKind,
    chain = { mostFailed: 1 } as Pick<ChainSigner, "mostFailed">,
    outcome = "final" as TransactionOutcome,
  } = {},
) {
  const entry = { kind, hash: "aa", spends: ["0x1:5"] as readonly string[] } as JournalEntry;
  const node = (said: Says) => ({
    blocks: { fetchHead: async () => ({ height: 100, hash: "h", finalizedHeight: 90 }) },
    transactions: {
      fetchPayments: async () =>
        said === "absent"
          ? null
          : {
              ...{ failed: said !== "paid", payments: [], inconclusiveToken: null, spends: [] },
              block: { height: said === "not final" ? 95 : 80, hash: "b" },
            },
    },
  });
  const adapter = {
    data: { ...NETWORKS.bep20, finality: { kind: "finalized" } } as never,
    nodes: {
      askEach: async <T>(ask: (reader: never) => Promise<T>): Promise<NodeAnswer<T>[]> =>
        Promise.all(
          says.map(async (said) =>
            said === "off" ? { ok: false } : { ok: true, result: await ask(node(said) as never) },
          ),
        ),
    } as never,
  };
  let at = 0;
  const mark = openOutcomeCheck({ adapter, chain, now: () => new Date(at) });
  const excluding = { entry: { ...entry, kind: "cancel", hash: "bb" }, outcome: "final" } as const;
  const settled = outcome === "dead" ? [{ entry, outcome }, excluding] : [{ entry, outcome }];
  const [early] = await mark(settled);
  at = 60_000;
  const [found] = await mark(settled);
  return [early?.outcome ?? null, found?.outcome ?? null];
}

test("a payment has failed if every node says so for a minute, and is undecided while they differ", async () => {
  assert.deepEqual(await outcomeOf(["failed"]), [null, "failed"]);
  assert.deepEqual(await outcomeOf(["failed", "failed"]), [null, "failed"]);
  assert.deepEqual(await outcomeOf(["paid"]), ["final", "final"]);
  assert.deepEqual(await outcomeOf(["paid", "off"]), ["final", "final"]);
  for (const other of ["paid", "absent", "not final", "off"] as const)
    assert.deepEqual(await outcomeOf(["failed", other]), [null, null], other);
  for (const nobody of ["absent", "not final", "off"] as const)
    assert.deepEqual(await outcomeOf([nobody, nobody]), [null, null], nobody);
});

test("only payments are paid again, and only where a block contains what fails", async () => {
  assert.deepEqual(await outcomeOf(["failed"], { kind: "cancel" }), ["final", "final"]);
  const entry = { kind: "payout", hash: "aa", spends: [] as readonly string[] } as JournalEntry;
  const settled = [{ entry, outcome: "final" }] as const;
  const mark = openOutcomeCheck({ adapter: {} as never, chain: {}, now: () => new Date() });
  assert.deepEqual(await mark(settled), settled);
});

test("a payment that a node knows in a block is not dead, whatever another says of the transaction that excludes it", async () => {
  const outcome = "dead";
  for (const known of ["paid", "failed", "not final"] as const)
    for (const chain of [{ mostFailed: 1 }, {}])
      assert.deepEqual(await outcomeOf(["absent", known], { outcome, chain }), [null, null], known);
  assert.deepEqual(await outcomeOf(["absent", "off"], { outcome }), ["dead", "dead"]);
  assert.deepEqual(await outcomeOf(["paid"], { outcome, kind: "cancel" }), ["dead", "dead"]);
});

test("what proves that a payment is dead, and what it proves, stays open while a node knows that payment in a block", async () => {
  const entryOf = (hash: string, spends: string) =>
    ({ kind: "payout", hash, spends: [spends] as readonly string[] }) as JournalEntry;
  const settled = [
    { entry: entryOf("final", "input:0"), outcome: "final" },
    { entry: entryOf("other", "input:9"), outcome: "final" },
    { entry: entryOf("replaced", "input:0"), outcome: "dead" },
    { entry: entryOf("child", "replaced:0"), outcome: "dead" },
    { entry: entryOf("grandchild", "child:0"), outcome: "dead" },
  ] as const;
  const settledOf = async (known: string) => {
    const fetchPayments = async (hash: string) => (hash === known ? { block: { height: 1 } } : null);
    const node = { transactions: { fetchPayments } } as never;
    const askEach = async (ask: (reader: never) => Promise<unknown>) => [
      { ok: true, result: await ask(node) },
    ];
    const adapter = { data: NETWORKS.bitcoin, nodes: { askEach } } as never;
    const check = openOutcomeCheck({ adapter, chain: {}, now: () => new Date() });
    return (await check(settled)).map(({ entry }) => entry.hash);
  };
  assert.deepEqual(await settledOf("none"), ["grandchild", "child", "replaced", "final", "other"]);
  assert.deepEqual(await settledOf("grandchild"), ["other"]);
  assert.deepEqual(await settledOf("child"), ["other"], "what spends its output would be paid twice");
});

test("payments are asked about together, so that a silent node costs one timeout", async () => {
  const together = Promise.withResolvers<void>();
  let asked = 0;
  const askEach = async () => {
    asked += 1;
    if (asked === 3) together.resolve();
    await together.promise;
    return [{ ok: true, result: false }, { ok: false }];
  };
  const adapter = { data: NETWORKS.bep20, nodes: { askEach } } as never;
  const check = openOutcomeCheck({ adapter, chain: { mostFailed: 1 }, now: () => new Date() });
  const settled = ["aa", "bb", "cc"].map((hash) => {
    const entry = { kind: "payout", hash, spends: [hash] as readonly string[] } as JournalEntry;
    return { entry, outcome: "final" as const };
  });
  assert.deepEqual(await Promise.race([check(settled), setTimeout(1_000, "waits")]), settled);
});
