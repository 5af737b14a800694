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
 * block. Until that is clear the payment is left out, and asked about at the next step. The dead ones are first: after a kill between a final
 * one and those that it excludes, the final one would be no longer asked about.
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
    const found: Settled[number][] = [];
    const withheld = new Set<string>();
    const decisions = await decideAll(settled, ({ entry, outcome }) => {
      return entry.kind === "payout" ? check(entry, outcome) : outcome;
    });
    for (const [at, { entry, outcome }] of settled.entries()) {
      const decided = decisions[at] ?? null;
      if (decided !== null) found.push({ entry, outcome: decided });
      else if (outcome === "dead") for (const spent of entry.spends) withheld.add(spent);
    }
    // The final one proves the dead ones: it is asked about again with them.
    const clear = found.filter(({ entry }) => !entry.spends.some((spent) => withheld.has(spent)));
    return clear.toSorted((one, other) => Number(one.outcome !== "dead") - Number(other.outcome !== "dead"));
  };
}

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
