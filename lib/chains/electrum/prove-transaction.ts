import type { UtxoData } from "../network-data.ts";
import { NodeError } from "../node-error.ts";
import { parseFields, parseUint } from "../parse-json.ts";
import { parseUtxoTransaction, type UtxoTransaction } from "../utxo/block.ts";
import { parseHashes, parseHex } from "../utxo/parse-json.ts";
import { hashScript } from "./address-book.ts";
import { parseHeaders } from "./headers.ts";
import { provesMembership } from "./merkle.ts";
import type { HeaderBudget } from "./old-headers.ts";
import type { ProvenPayments } from "./proven-payments.ts";
import type { ElectrumSession } from "./session.ts";

/** Error codes of e-x: our requests cost too much, and its own node did not answer in time. */
const EXCESSIVE = -101;
const BUSY = -102;

/** A transaction that a history names. */
export interface HistoryEntry {
  readonly txid: string;
  /** 0: waiting. -1: waiting, and so is a transaction that it spends from. */
  readonly height: number;
}

/** A transaction that a server says waits for a block. Nothing proves it. */
export interface WaitingTransaction {
  readonly transaction: UtxoTransaction;
  readonly raw: Buffer;
}

export const isBusy = (code: number) => code === EXCESSIVE || code === BUSY;
export const busy = (name: string, message: string) =>
  new NodeError("rate_limited", `${name} limits our requests: ${message}`);

export interface ProverOptions {
  readonly blockExtra: UtxoData["blockExtra"];
  readonly proven: ProvenPayments;
  /** For the proofs of old entries. Nothing waits for them: they may cost the server more than it allows at once. */
  readonly budget: HeaderBudget;
}

/** Fetches transactions and proves that blocks hold them. */
export function createProver(session: ElectrumSession, { blockExtra, proven, budget }: ProverOptions) {
  const { name } = session;

  async function fetchTransaction(txid: string): Promise<WaitingTransaction> {
    const answer = await session.ask("blockchain.transaction.get", [txid]);
    if (!answer.ok && isBusy(answer.code)) throw busy(name, answer.message);
    if (!answer.ok)
      throw new NodeError("inconsistent", `${name} has no transaction ${txid}: ${answer.message}`);
    const raw = parseHex("a transaction", answer.result);
    const transaction = parseUtxoTransaction(raw, blockExtra);
    if (transaction.txid !== txid) {
      throw new NodeError("malformed", `asked for transaction ${txid}, ${name} sent ${transaction.txid}`);
    }
    return { raw, transaction };
  }

  /** Whether the entry needs no proof: it is proven, or recorded in the block at its height. */
  async function isSettled({ txid, height }: HistoryEntry, inTables: string | undefined): Promise<boolean> {
    const recorded = proven.trustsRecord(height) ? inTables : undefined;
    if (height >= session.chain().base) {
      const hash = (await session.header(height))?.hash;
      return hash !== undefined && (hash === recorded || proven.has(txid, hash));
    }
    if (recorded === undefined && !proven.hasAt(txid, height)) return false;
    // The server's word is enough that an old block is the recorded or proven one: nothing is credited for it.
    const [header] = parseHeaders(
      parseHex("a header", await session.call("blockchain.block.header", [height])),
    );
    return header !== undefined && (header.hash === recorded || proven.has(txid, header.hash));
  }

  /**
   * `scriptHash`: what pays something else needs no proof, and an old block is proven when the budget allows it. Null: the
   * transaction is asked for by its id. Returns false when its proof must wait.
   */
  async function prove({ txid, height }: HistoryEntry, scriptHash: string | null): Promise<boolean> {
    // An old header costs more than the transaction.
    const named = scriptHash === null ? null : await fetchTransaction(txid);
    if (scriptHash !== null && named !== null && !paysScript(named, scriptHash)) return true;
    const header =
      scriptHash === null ? await session.header(height) : await session.headerWithin(budget, height);
    if (header === "later") return false;
    if (header === null) throw new NodeError("inconsistent", `${name} has not announced block ${height} yet`);
    // A transaction that is asked for by its id is read again, even if it was left out.
    if (scriptHash === null ? proven.lists(txid, header.hash) : proven.has(txid, header.hash)) return true;
    const fields = parseFields(
      "a proof",
      await session.call("blockchain.transaction.get_merkle", [txid, height]),
    );
    const proof = {
      branch: parseHashes("a proof", fields.merkle),
      position: parseUint("a position", fields.pos),
    };
    if (!provesMembership(txid, proof, header.merkleRoot)) {
      throw new NodeError("inconsistent", `${name} does not prove that ${txid} is in block ${height}`);
    }
    const fetched = named ?? (await fetchTransaction(txid));
    proven.add({ ...fetched, block: { height, hash: header.hash, time: header.time }, scriptHash });
    return true;
  }
  return { fetchTransaction, isSettled, prove };
}

function paysScript({ raw, transaction }: WaitingTransaction, scriptHash: string): boolean {
  return transaction.outputs.some(
    ({ scriptAt, scriptLength }) =>
      hashScript(raw.subarray(scriptAt, scriptAt + scriptLength)) === scriptHash,
  );
}
