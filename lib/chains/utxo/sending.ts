import { parseAmount } from "#lib/platform/money/amount.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { UtxoChain, UtxoData } from "../network-data.ts";
import { NodeError } from "../node-error.ts";
import { parseFields, parseList, parseUint, throwMalformed } from "../parse-json.ts";
import type { Sending } from "../sending.ts";
import { type CoreAnswer, type CoreNode, getResult, METHOD_NOT_FOUND } from "./core-client.ts";
import { parseHash, parseHex } from "./parse-json.ts";

/** Blocks within which a payment should be mined. */
const FEE_TARGET = 3;
const DECIMALS = 8;
/** The node has it in a block already: Core's RPC_VERIFY_ALREADY_IN_UTXO_SET, in words and code of all versions. */
const KNOWN = /txn-already|already in (block|utxo|mempool)|\(-27\)/i;
/** Everything but the signatures is right. They are checked last. */
const SIGNATURES_ALONE = /script-verify-flag/;

/** Rates are satoshis for 1,000 virtual bytes. */
export interface UtxoSendState {
  /** The node's estimate, at least the lowest rate that it relays and the chain's floor. */
  readonly rate: bigint;
  /** The rate that a replacement pays more, for its own size. */
  readonly replacementRate: bigint;
}

/** An output that exists and that no block spends. */
export interface UnspentOutput {
  readonly script: Uint8Array;
  readonly satoshis: bigint;
  /** 0: its transaction waits for a block. */
  readonly confirmations: number;
  readonly isCoinbase: boolean;
}

/** Sends transactions on a UTXO network. Outpoints are "txid:n", raw transactions hex. Every failure is a NodeError. */
export interface UtxoSending extends Sending {
  readonly kind: "utxo";
  readonly chain: UtxoChain;
  readonly family: UtxoData;
  readonly coin: { readonly token: TokenCode; readonly decimals: number };
  /** Always null: no account pays, the deposits do. */
  hotAccount(): null;
  fetchState(): Promise<UtxoSendState>;
  /** Fetches the outputs that exist and are unspent. `waiting`: also by transactions that wait, whose outputs then exist, too. */
  fetchUnspent(
    outpoints: readonly string[],
    options: { readonly waiting: boolean },
  ): Promise<ReadonlyMap<string, UnspentOutput>>;
  /**
   * Why the node would not relay a transaction, as it would be with valid signatures. Null if it would. "unknown": this node cannot say. The
   * given one must have invalid signatures: a valid one that a node learns of can be broadcast by it.
   */
  findRefusal(unsigned: string): Promise<string | null>;
}

/** Narrows the sending of a network to that of a UTXO network. */
export const isUtxoSending = (sending: Sending | null): sending is UtxoSending => sending?.kind === "utxo";

export const UNKNOWN_REFUSAL = "unknown";

export async function fetchSendState(
  node: CoreNode,
  { feeFloor }: Pick<UtxoData, "feeFloor">,
): Promise<UtxoSendState> {
  const [mempool, estimate, network] = await node.batch([
    { method: "getmempoolinfo", params: [] },
    { method: "estimatesmartfee", params: [FEE_TARGET] },
    { method: "getnetworkinfo", params: [] },
  ]);
  const { mempoolminfee, minrelaytxfee } = parseFields(
    "its mempool's state",
    getResult(mempool, "getmempoolinfo"),
  );
  const { feerate } = parseFields("a fee estimate", getResult(estimate, "estimatesmartfee"));
  const { incrementalfee } = parseFields("its network's state", getResult(network, "getnetworkinfo"));
  const rates = [mempoolminfee, minrelaytxfee, feerate].map((rate) => readRate(rate));
  const floor = BigInt(feeFloor) * 1_000n;
  const most = (one: bigint, other: bigint) => (one - other > 0n ? one : other);
  return { rate: rates.reduce(most, floor), replacementRate: most(readRate(incrementalfee), floor) };
}

/** Coins for 1,000 virtual bytes. 0 where the node has no number: a young chain has no estimate. */
function readRate(rate: unknown): bigint {
  return typeof rate === "number" && rate > 0 ? BigInt(Math.ceil(Math.round(rate * 1e10) / 100)) : 0n;
}

export async function fetchUnspent(
  node: CoreNode,
  outpoints: readonly string[],
  { waiting }: { readonly waiting: boolean },
): Promise<ReadonlyMap<string, UnspentOutput>> {
  const answers = await node.batch(
    outpoints.map((outpoint) => {
      const [txid, position] = outpoint.split(":");
      return { method: "gettxout", params: [txid, Number(position), waiting] };
    }),
  );
  const found = outpoints.flatMap((outpoint, at): [string, UnspentOutput][] => {
    const result = getResult(answers[at], "gettxout");
    if (result === null || result === undefined) return [];
    const { value, confirmations, scriptPubKey, coinbase } = parseFields("an output", result);
    return [
      [
        outpoint,
        {
          script: parseHex("a script", parseFields("a script", scriptPubKey).hex),
          satoshis: readCoins(value),
          confirmations: parseUint("an output's confirmations", confirmations),
          isCoinbase: coinbase === true,
        },
      ],
    ];
  });
  return new Map(found);
}

/** Amounts that a float may change are passed on as the node wrote them. */
function readCoins(value: unknown): bigint {
  const parsed = parseAmount(String(JSON.stringify(value)), DECIMALS);
  return parsed.ok && parsed.units >= 0n ? parsed.units : throwMalformed("an amount", value);
}

export async function findRefusal(node: CoreNode, unsigned: string): Promise<string | null> {
  const [answer] = await node.batch([{ method: "testmempoolaccept", params: [[unsigned]] }]);
  if (answer && !answer.ok && isMissing(answer)) return UNKNOWN_REFUSAL;
  const [result] = parseList("a test", getResult(answer, "testmempoolaccept"));
  const { allowed, "reject-reason": reason } = parseFields("a test", result);
  if (allowed === true) return null;
  return typeof reason === "string" && SIGNATURES_ALONE.test(reason) ? null : String(reason);
}

/** dogecoind has no such method, and a node may not offer it. */
const isMissing = (answer: Extract<CoreAnswer, { ok: false }>) =>
  answer.code === METHOD_NOT_FOUND || /method not found|not allowed|unknown method/i.test(answer.message);

/** Sends a signed transaction to one node. A node that has it already took it, too. */
export async function broadcastRaw(node: CoreNode, raw: string): Promise<void> {
  try {
    parseHash("a transaction's id", await node.call("sendrawtransaction", [raw]));
  } catch (error) {
    if (error instanceof NodeError && error.kind === "refused" && KNOWN.test(error.message)) return;
    throw error;
  }
}
