import { parseAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { AddressBalances } from "../custody.ts";
import type { UtxoChain } from "../network-data.ts";
import { NodeError } from "../node-error.ts";
import { parseFields, parseList, parseUint, throwMalformed } from "../parse-json.ts";
import { encodeAddressScript } from "./address.ts";
import type { CoreNode } from "./core-client.ts";
import type { OutputReader } from "./match-outputs.ts";
import { parseHash } from "./parse-json.ts";

/** The node reads its whole set of outputs, on bitcoin for minutes. */
export const SCAN_TIMEOUT_MS = 290_000;

/**
 * See Custody.fetchBalances. The node searches its set of unspent outputs, as of its newest block. It needs no index and no
 * wallet. Dogecoin's nodes have no such search: NodeError("refused").
 */
export async function fetchUtxoAddressBalances(
  node: CoreNode,
  { chain, reader }: { readonly chain: UtxoChain; readonly reader: OutputReader },
  addresses: readonly string[],
): Promise<AddressBalances> {
  const scripts = new Map(
    addresses.map((address) => [Buffer.from(encodeAddressScript(address, chain)).toString("hex"), address]),
  );
  const descriptors = [...scripts.keys()].map((script) => `raw(${script})`);
  const found = parseFields("its unspent outputs", await node.call("scantxoutset", ["start", descriptors]));
  if (found.success !== true) throw new NodeError("refused", "the node did not finish its search");
  const { token } = reader;
  const sums = new Map<string, bigint>();
  for (const entry of parseList("its unspent outputs", found.unspents)) {
    const { scriptPubKey, amount } = parseFields("an output", entry);
    const address = scripts.get(String(scriptPubKey));
    if (address === undefined) throwMalformed("an output of another script", scriptPubKey);
    sums.set(address, (sums.get(address) ?? 0n) + readCoins(amount, TOKENS[token].ledgerDecimals));
  }
  return {
    block: {
      height: parseUint("its height", found.height),
      hash: parseHash("its newest block", found.bestblock),
    },
    balances: [...sums].map(([address, amount]) => ({ address, token, amount })),
  };
}

/** An amount that a float may change is passed on as the node wrote it. */
function readCoins(value: unknown, decimals: number): bigint {
  const text = typeof value === "number" ? value.toFixed(decimals) : String(JSON.stringify(value));
  const parsed = parseAmount(text, decimals);
  return parsed.ok ? parsed.units : throwMalformed("an amount", value);
}
