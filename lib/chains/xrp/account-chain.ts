import { createHash } from "node:crypto";
import { NodeError } from "../node-error.ts";
import { decodeClassicAddress } from "./address.ts";
import { readInteger, readObject } from "./parse-ledger.ts";
import type { RippledAnswer, RippledClient } from "./rippled-client.ts";

/** A transaction that changed an account. Each names the one before it in its metadata (xrpl.org, AccountRoot). */
export interface AccountChange {
  readonly hash: string;
  readonly ledger: number;
}

/** The key of an account's entry in the ledger (xrpl.org, AccountRoot ID Format). */
function keyOf(account: string): string {
  const bytes = decodeClassicAddress(account);
  if (bytes === null) throw new Error(`not a classic address: ${account}`);
  return createHash("sha512")
    .update(Uint8Array.of(0, 0x61, ...bytes))
    .digest("hex")
    .slice(0, 64)
    .toUpperCase();
}

/**
 * Reads which transaction changed the account before this one, from an entry of `account_tx`. Null: this one made the account,
 * or its metadata does not say. The final fields are left out where no other field of the
 * account changed.
 */
export function readChangeBefore(entry: unknown, account: string): AccountChange | null {
  const { AffectedNodes: nodes } = Object(Object(entry).meta) as { AffectedNodes?: unknown };
  for (const node of Array.isArray(nodes) ? nodes : []) {
    const { ModifiedNode, DeletedNode } = Object(node) as Record<string, unknown>;
    const change = Object(ModifiedNode ?? DeletedNode) as Record<string, unknown>;
    if (change.LedgerEntryType !== "AccountRoot") continue;
    const isIts =
      change.FinalFields === undefined
        ? change.LedgerIndex === keyOf(account)
        : Object(change.FinalFields).Account === account;
    if (isIts) return readChange(change);
  }
  return null;
}

/**
 * Checks that a list of the account's transactions in ledgers from..to leaves none out. `before` has the listed ones: by hash,
 * the change that each names. The account itself names the newest. A server that no longer has the account of that ledger proves
 * nothing. Throws NodeError("inconsistent") where a transaction is missing.
 */
export async function checkComplete(
  client: RippledClient,
  account: string,
  { from, to }: { readonly from: number; readonly to: number },
  before: ReadonlyMap<string, AccountChange | null>,
): Promise<void> {
  const answer = await client.ask("account_info", { account, ledger_index: to }, [
    "actNotFound",
    "lgrNotFound",
  ]);
  let change = answer === null ? null : readLastChange(answer, account, to);
  const seen = new Set<string>();
  while (change !== null && change.ledger >= from && change.ledger <= to && !seen.has(change.hash)) {
    const { hash, ledger } = change;
    if (!before.has(hash))
      throw new NodeError(
        "inconsistent",
        `the node left ${hash} of ledger ${ledger} out of the account's transactions`,
      );
    seen.add(hash);
    change = before.get(hash) ?? null;
  }
}

/** An answer of an earlier ledger, or about another account, would prove nothing. Accounts whose last change is not named do not exist any more. */
function readLastChange(answer: RippledAnswer, account: string, ledger: number): AccountChange {
  const data = readObject("an account", answer.account_data);
  const change = readChange(data);
  if (data.Account !== account || answer.ledger_index !== ledger || change === null)
    throw new NodeError("inconsistent", `the node did not send the account of ledger ${ledger}`);
  return change;
}

function readChange({
  PreviousTxnID: hash,
  PreviousTxnLgrSeq: ledger,
}: Record<string, unknown>): AccountChange | null {
  if (typeof hash !== "string") return null;
  return { hash: hash.toUpperCase(), ledger: readInteger("the ledger of an account's last change", ledger) };
}
