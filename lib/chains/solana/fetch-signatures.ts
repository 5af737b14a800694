import { NodeError } from "../network.ts";
import { parseFields, parseList, parseUint, throwMalformed } from "../parse-json.ts";
import type { RpcCall, RpcClient } from "../rpc-client.ts";
import { FINALIZED, NEWEST_VERSION } from "./fetch-blocks.ts";
import { readJsonForm, readKey, readSignature } from "./parse-block.ts";

/** A transaction that succeeded and names an account. */
export interface AccountSignature {
  readonly signature: string;
  readonly slot: number;
}

/** The most that one call returns. */
const PAGE = 1_000;

/** The node is below minContextSlot (rpc-client-api, custom_error.rs). */
const NOT_THERE_YET: ReadonlyMap<unknown, unknown> = new Map([[-32_016, null]]);

async function askAt(client: RpcClient, slot: number, call: RpcCall): Promise<unknown> {
  const [answer] = await client.batch([{ ...call, resultsByErrorCode: NOT_THERE_YET }]);
  if (answer === null) throw new NodeError("inconsistent", `the node is not at slot ${slot} yet`);
  return answer;
}

/**
 * The successful transactions in final slots of `from` or later that name this account, newest first, from a node that is
 * at slot `at` or further.
 */
export async function fetchSignatures(
  client: RpcClient,
  account: string,
  { from, at }: { readonly from: number; readonly at: number },
): Promise<readonly AccountSignature[]> {
  const found: AccountSignature[] = [];
  let before: AccountSignature | null = null;
  for (;;) {
    const options = { ...FINALIZED, minContextSlot: at, limit: PAGE };
    const params = [account, before === null ? options : { ...options, before: before.signature }];
    const answer = await askAt(client, at, { method: "getSignaturesForAddress", params });
    for (const entry of parseList("an account's signatures", answer)) {
      const { signature, slot, err } = parseFields("an account's signature", entry);
      const next = { signature: readSignature(signature), slot: parseUint("a signature's slot", slot) };
      if (err === undefined || (before !== null && next.slot > before.slot)) {
        throwMalformed("an account's signatures", entry);
      }
      before = next;
      if (next.slot < from) return found;
      if (err === null) found.push(next);
    }
    // A provider may send fewer than asked for: only an empty page is the last one.
    if (parseList("an account's signatures", answer).length === 0) return found;
  }
}

/** The token accounts of an owner for a mint, and the final slot at which that was so: `at` or later. */
export async function fetchTokenAccounts(
  client: RpcClient,
  { owner, mint, at }: { readonly owner: string; readonly mint: string; readonly at: number },
): Promise<{ readonly slot: number; readonly accounts: readonly string[] }> {
  const options = {
    ...FINALIZED,
    minContextSlot: at,
    encoding: "base64",
    dataSlice: { offset: 0, length: 0 },
  };
  const params = [owner, { mint }, options];
  const answer = await askAt(client, at, { method: "getTokenAccountsByOwner", params });
  const { context, value } = parseFields("an owner's token accounts", answer);
  const slot = parseUint("a context's slot", parseFields("a context", context).slot);
  if (slot < at) throw new NodeError("inconsistent", `the node is at slot ${slot}, not yet at ${at}`);
  const accounts = parseList("an owner's token accounts", value).map((entry) =>
    readKey("a token account", parseFields("a token account", entry).pubkey),
  );
  return { slot, accounts };
}

/** The token accounts that an owner had before or after a final transaction. */
export async function fetchTokenAccountsIn(
  client: RpcClient,
  signature: string,
  { owner, mints }: { readonly owner: string; readonly mints: ReadonlySet<string> },
): Promise<readonly string[]> {
  const options = { encoding: "json", maxSupportedTransactionVersion: NEWEST_VERSION, ...FINALIZED };
  const transaction = await client.call("getTransaction", [signature, options]);
  if (transaction === null) {
    throw new NodeError("inconsistent", `the node lists ${signature} and does not have it`);
  }
  const { accounts, tokensBefore, tokensAfter } = readJsonForm(transaction, mints);
  return [...tokensBefore, ...tokensAfter]
    .filter((balance) => balance.owner === owner)
    .map(({ accountIndex }) => accounts[accountIndex] ?? "");
}
