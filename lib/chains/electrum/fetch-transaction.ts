import { setTimeout as delay } from "node:timers/promises";
import type { UtxoChain } from "../network-data.ts";
import { NodeError } from "../node-error.ts";
import { parseFields } from "../parse-json.ts";
import type {
  RecordedTransaction,
  TransactionCost,
  TransactionPayments,
  TransactionRecord,
  TransactionStatus,
} from "../transactions.ts";
import { readUtxoCost } from "../utxo/fetch-cost.ts";
import { readUtxoPayments } from "../utxo/fetch-payments.ts";
import type { OutputReader } from "../utxo/match-outputs.ts";
import { parseHash, parseInteger } from "../utxo/parse-json.ts";
import type { OpenServer } from "./electrum-server.ts";
import type { ElectrumSession } from "./session.ts";

/** The server's node does not know the transaction (protocol: daemon error). */
const DAEMON_ERROR = 2;
/** The server's node and the server differ by at most this many blocks. */
const NEARBY_BLOCKS = 6;
/** A server looks for new blocks of its node every 5 s (e-x), and shows them once they are indexed. */
const HEADER_WAIT_MS = 8_000;
const HEADER_ASK_MS = 250;

type Block = { readonly height: number; readonly hash: string };

/** The transaction as the server's node decodes it, with its proven block. Null: the server does not know it. */
async function fetchTransaction(
  { session, sync }: OpenServer,
  txid: string,
): Promise<{ readonly decoded: Record<string, unknown>; readonly block: Block | null } | null> {
  if (!/^[0-9a-f]{64}$/.test(txid)) return null;
  const answer = await session.ask("blockchain.transaction.get", [txid, true]);
  if (!answer.ok && (answer.code === DAEMON_ERROR || /no such|not found/i.test(answer.message))) return null;
  if (!answer.ok) {
    throw new NodeError(
      "refused",
      `${session.name} refused a transaction: ${answer.message} (${answer.code})`,
    );
  }
  const decoded = parseFields("a transaction", answer.result);
  if (decoded.blockhash === undefined || decoded.blockhash === null) return { decoded, block: null };
  const hash = parseHash("a transaction's block", decoded.blockhash);
  const confirmations = parseInteger("a transaction's confirmations", decoded.confirmations);
  const height = await findHeight(session, hash, confirmations);
  if (height === null) {
    throw new NodeError("inconsistent", `${session.name} names a block of ${txid} that is not in its chain`);
  }
  await sync.prove({ txid, height });
  return { decoded, block: { height, hash } };
}

/** Height of the server's block. Its node knows a block before the server does, so the header is waited for. Null: it did not come. */
async function findHeight(
  session: ElectrumSession,
  hash: string,
  confirmations: number,
): Promise<number | null> {
  const end = performance.now() + HEADER_WAIT_MS;
  for (;;) {
    const around = session.chain().height - confirmations + 1;
    for (let height = around + NEARBY_BLOCKS; height >= Math.max(0, around - NEARBY_BLOCKS); height--) {
      if ((await session.header(height))?.hash === hash) return height;
    }
    if (performance.now() >= end) return null;
    await delay(HEADER_ASK_MS);
    await session.refresh();
  }
}

/** See Transactions.fetchStatus. A block is named only with a proof. */
export async function fetchElectrumStatus(server: OpenServer, txid: string): Promise<TransactionStatus> {
  const found = await fetchTransaction(server, txid);
  if (found === null) return { kind: "unknown" };
  if (found.block === null) return { kind: "pending" };
  return { kind: "confirmed", blockHeight: found.block.height, blockHash: found.block.hash };
}

/** See Transactions.fetchPayments. */
export async function fetchElectrumPayments(
  server: OpenServer,
  { reader, chain }: { readonly reader: OutputReader; readonly chain: UtxoChain },
  txid: string,
): Promise<TransactionPayments | null> {
  const found = await fetchTransaction(server, txid);
  return found && readUtxoPayments(found.decoded, { ...reader, chain }, txid, found.block);
}

/** See Transactions.fetchCost. */
export async function fetchElectrumCost(
  server: OpenServer,
  coin: OutputReader,
  txid: string,
  { spent }: RecordedTransaction,
): Promise<TransactionCost | null> {
  const found = await fetchTransaction(server, txid);
  if (found === null) return null;
  return readUtxoCost({ coin, txid, block: found.block, spent }, found.decoded, async (id) => {
    const earlier = await fetchTransaction(server, id);
    if (earlier !== null) return earlier.decoded;
    throw new NodeError("refused", `${server.session.name} does not have ${id}, which ${txid} spends`);
  });
}

export async function fetchElectrumRecord(
  server: OpenServer,
  txid: string,
): Promise<TransactionRecord | null> {
  const found = await fetchTransaction(server, txid);
  return found && { json: JSON.stringify(found.decoded), shownAs: "object" };
}
