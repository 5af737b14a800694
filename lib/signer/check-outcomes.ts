import { isFinalBlock } from "#lib/chains/finality-rules.ts";
import type { TransactionNetwork } from "#lib/chains/network.ts";
import type { ChainSigner, Observed } from "./chain-signer.ts";
import type { JournalEntry, TransactionOutcome } from "./types.ts";

type Settled = Observed["settled"];

/** For how long nodes must say it: one wrong answer pays nothing twice. */
const SAID_MS = 60_000;

/** Payments that nodes are asked about at once. */
const MOST_AT_ONCE = 8;

interface FailedDeps {
  readonly adapter: Pick<TransactionNetwork, "nodes" | "data">;
  readonly chain: Pick<ChainSigner, "mostFailed">;
  readonly now: () => Date;
}

/**
 * Returns a function that checks what the chain has decided, and marks final payments that moved nothing in their block. A failed payment is
 * made again, so every node must say so, whenever it is asked within a minute. A dead one is made again too, so no node may know it in a
 * block. Until that is clear the payment is left out, and asked about at the next step. The dead ones are first, the newest before the others:
 * after a kill, a final one would be no longer asked about, and prove no more what it excludes. Nor would a dead one prove what spends its outputs.
 */
export function openOutcomeCheck({
  adapter,
  chain,
  now,
}: FailedDeps): (settled: Settled) => Promise<Settled> {
  const since = new Map<string, number>();
  const decide = async (entry: JournalEntry): Promise<"failed" | "final" | null> => {
    const said = await askEach(adapter, entry);
    if (said !== "failed") since.delete(entry.hash);
    if (said === "moved") return "final";
    if (said === "unclear") return null;
    const first = since.get(entry.hash) ?? now().getTime();
    since.set(entry.hash, first);
    return now().getTime() - first >= SAID_MS ? "failed" : null;
  };
  const check = async (entry: JournalEntry, outcome: TransactionOutcome) => {
    if (outcome === "final") return chain.mostFailed === undefined ? outcome : decide(entry);
    return outcome === "dead" && (await isInBlock(adapter, entry)) ? null : outcome;
  };
  return async (settled) => {
    const decisions = await decideAll(settled, ({ entry, outcome }) => {
      return entry.kind === "payout" ? check(entry, outcome) : outcome;
    });
    const isUndecided = (at: number) => (decisions[at] ?? null) === null;
    const dead = [...settled.entries()].filter(([, { outcome }]) => outcome === "dead");
    const doubted = new Set(dead.flatMap(([at, { entry }]) => (isUndecided(at) ? [entry] : [])));
    // A transaction that spends an output of a dead one is dead because of it: the doubt is about both.
    for (let size = -1; size < doubted.size; ) {
      size = doubted.size;
      for (const [, { entry }] of dead)
        if ([...doubted].some((one) => spendsOutputOf(one, entry) || spendsOutputOf(entry, one)))
          doubted.add(entry);
    }
    const withheld = new Set([...doubted].flatMap(({ spends }) => spends));
    // The final one proves the dead ones: it is asked about again with them.
    const clear = settled.flatMap(({ entry }, at): Settled => {
      const outcome = decisions[at] ?? null;
      return outcome === null || entry.spends.some((spent) => withheld.has(spent))
        ? []
        : [{ entry, outcome }];
    });
    const isDead = ({ outcome }: Settled[number]) => outcome === "dead";
    return [...clear.filter(isDead).toReversed(), ...clear.filter((one) => !isDead(one))];
  };
}

const spendsOutputOf = ({ spends }: JournalEntry, { hash }: JournalEntry): boolean =>
  spends.some((spent) => spent.startsWith(`${hash}:`));

/** Decides several at once, because a silent node takes its whole timeout for each. */
async function decideAll(
  settled: Settled,
  decide: (one: Settled[number]) => Promise<TransactionOutcome | null> | TransactionOutcome,
): Promise<readonly (TransactionOutcome | null)[]> {
  const decisions: (TransactionOutcome | null)[] = [];
  for (let from = 0; from < settled.length; from += MOST_AT_ONCE)
    decisions.push(...(await Promise.all(settled.slice(from, from + MOST_AT_ONCE).map(decide))));
  return decisions;
}

async function askEach(
  adapter: FailedDeps["adapter"],
  { hash }: JournalEntry,
): Promise<"failed" | "moved" | "unclear"> {
  const answers = await adapter.nodes.askEach(async (node) => {
    const [head, payments] = [await node.blocks.fetchHead(), await node.transactions.fetchPayments(hash)];
    if (!payments?.block || !isFinalBlock(adapter.data.finality, payments.block.height, head)) return null;
    return payments.failed;
  });
  const says = (failed: boolean) => answers.filter((one) => one.ok && one.result === failed).length;
  if (answers.length > 0 && says(true) === answers.length) return "failed";
  // Nodes that are silent or behind prove neither.
  return says(true) === 0 && says(false) > 0 ? "moved" : "unclear";
}

/** Returns whether any node knows the transaction in a block. */
async function isInBlock(adapter: FailedDeps["adapter"], { hash }: JournalEntry): Promise<boolean> {
  const answers = await adapter.nodes.askEach((node) => node.transactions.fetchPayments(hash));
  return answers.some((answer) => answer.ok && answer.result?.block != null);
}
