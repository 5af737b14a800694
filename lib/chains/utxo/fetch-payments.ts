import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { UtxoChain, UtxoData } from "../network-data.ts";
import { NodeError } from "../node-error.ts";
import { parseFields } from "../parse-json.ts";
import type { TransactionPayments } from "../transactions.ts";
import { toLedgerUnits } from "../units.ts";
import { canonicalizeUtxoAddress, encodeAddressScript } from "./address.ts";
import { parseUtxoTransaction } from "./block.ts";
import type { CoreNode } from "./core-client.ts";
import { fetchUtxoTransaction, fetchUtxoTransactionStatus } from "./fetch-transaction.ts";
import { parseHex } from "./parse-json.ts";

/** litecoind's name for the script of an output that moves coins into the extension block. */
const PEG_IN = "witness_mweb_pegin";

interface Coin {
  readonly token: TokenCode;
  readonly decimals: number;
  readonly blockExtra: UtxoData["blockExtra"];
  readonly chain: UtxoChain;
}

/** See Transactions.fetchPayments. Finds what fetchUtxoTransactionStatus finds. */
export async function fetchUtxoPayments(
  node: CoreNode,
  coin: Coin,
  txid: string,
  recordedBlock: string | null = null,
): Promise<TransactionPayments | null> {
  const status = await fetchUtxoTransactionStatus(node, txid, recordedBlock);
  if (status.kind !== "pending" && status.kind !== "confirmed") return null;
  const block = status.kind === "confirmed" ? { height: status.blockHeight, hash: status.blockHash } : null;
  return readUtxoPayments(await fetchUtxoTransaction(node, txid, block?.hash ?? null), coin, txid, block);
}

/** Reads what a transaction pays, as a node decodes it. Throws NodeError("malformed"). */
export function readUtxoPayments(
  { hex, vout }: Record<string, unknown>,
  coin: Coin,
  txid: string,
  block: TransactionPayments["block"],
): TransactionPayments {
  const { token, chain, blockExtra } = coin;
  // Amounts are read from the bytes, which the id proves. The node only writes the scripts as addresses.
  const raw = parseHex("a transaction", hex);
  const transaction = parseUtxoTransaction(raw, blockExtra);
  if (transaction.hidden) return { block, failed: false, payments: [], inconclusiveToken: token, spends: [] };
  const shown = Array.isArray(vout) ? vout.filter((output) => output?.ismweb !== true) : [];
  if (transaction.txid !== txid || shown.length !== transaction.outputs.length) {
    throw new NodeError("malformed", `the node sent another transaction than ${txid}`);
  }
  const payments = transaction.outputs.map(({ satoshis, scriptAt, scriptLength }, position) => ({
    position,
    token,
    address: addressOf(shown[position], raw.subarray(scriptAt, scriptAt + scriptLength), chain),
    amount: toLedgerUnits(satoshis, coin),
  }));
  const inconclusiveToken = shown.some(goesIntoExtension) ? token : null;
  return {
    block,
    failed: false,
    payments,
    inconclusiveToken: inconclusiveToken,
    spends: transaction.spends(),
  };
}

/**
 * Coins that enter litecoin's extension block may leave it for any address at once, by the block's last
 * transaction.
 */
function goesIntoExtension(output: unknown): boolean {
  const { scriptPubKey } = parseFields("an output", output);
  return parseFields("a script", scriptPubKey).type === PEG_IN;
}

/**
 * Nodes before Core 22, and litecoind, write a list. They also write the address of a key that is paid without one (P2PK, a
 * multisig of one), so an address counts only with its own script.
 */
function addressOf(output: unknown, script: Buffer, chain: UtxoChain): string | null {
  const { scriptPubKey } = parseFields("an output", output);
  const { address, addresses } = parseFields("a script", scriptPubKey);
  const shown = address ?? (Array.isArray(addresses) && addresses.length === 1 ? addresses[0] : null);
  const canonical = typeof shown === "string" ? canonicalizeUtxoAddress(shown, chain) : null;
  return canonical !== null && script.equals(encodeAddressScript(canonical, chain)) ? canonical : null;
}
