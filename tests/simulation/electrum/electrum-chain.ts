import { hash } from "node:crypto";
import { RawTx } from "@scure/btc-signer";
import { hashScript } from "#lib/chains/electrum/address-book.ts";
import { displayHash, doubleSha256 } from "#lib/chains/electrum/headers.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { encodeAddressScript } from "#lib/chains/utxo/address.ts";
import { parseUtxoTransaction } from "#lib/chains/utxo/block.ts";
import { getUtxoChain, getUtxoData } from "#lib/chains/utxo/chains.ts";

const REGTEST = getUtxoChain(getUtxoData(NETWORKS.bitcoin), "test", "regtest");
const GENESIS = Buffer.from(
  `0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f61
   7fc81bc3888a51323a9fb8aa4b1e5e4adae5494dffff7f2002000000`.replace(/\s/g, ""),
  "hex",
);
/** Every second hash is a proof of work. */
const EASIEST_BITS = 0x207fffff;
/** One in 256 hashes is a proof of work: 128 times the work of a block with the easiest bits. */
export const HARDER_BITS = 0x2000ffff;

/** A payment to one address. */
export interface ElectrumTransaction {
  readonly txid: string;
  readonly hex: string;
  readonly address: string;
  readonly amount: bigint;
  /** The protocol's name of the address. */
  readonly scriptHash: string;
}

export interface ElectrumBlock {
  readonly height: number;
  readonly header: Buffer;
  readonly transactions: readonly ElectrumTransaction[];
  /** In the block's order, the coinbase first. */
  readonly txids: readonly string[];
}

/** A chain and what waits for it. Never changed. */
export interface ElectrumState {
  /** The block of height n is at place n. */
  readonly blocks: readonly ElectrumBlock[];
  readonly waiting: readonly ElectrumTransaction[];
}

/** The one chain of a history, with headers and proofs that clients check. */
export class ElectrumChain {
  state: ElectrumState = {
    blocks: [{ height: 0, header: GENESIS, transactions: [], txids: [] }],
    waiting: [],
  };
  #made = 0;

  pay(address: string, amount: bigint): void {
    this.#made += 1;
    const script = encodeAddressScript(address, REGTEST);
    const input = { txid: new Uint8Array(32).fill(1), index: this.#made, sequence: 0 };
    const bytes = Buffer.from(
      RawTx.encode({
        version: 2,
        segwitFlag: false,
        inputs: [{ ...input, finalScriptSig: new Uint8Array() }],
        outputs: [{ amount, script }],
        witnesses: [],
        lockTime: 0,
      }),
    );
    const { txid } = parseUtxoTransaction(bytes);
    const transaction = { txid, hex: bytes.toString("hex"), address, amount, scriptHash: hashScript(script) };
    this.state = { ...this.state, waiting: [...this.state.waiting, transaction] };
  }

  /** Mines a block of these. */
  mine(transactions: readonly ElectrumTransaction[], bits = EASIEST_BITS): void {
    const { blocks, waiting } = this.state;
    const parent = blocks.at(-1) as ElectrumBlock;
    this.#made += 1;
    const coinbase = displayHash(doubleSha256(Buffer.from(`coinbase ${this.#made}`)));
    const txids = [coinbase, ...transactions.map(({ txid }) => txid)];
    const block = {
      height: parent.height + 1,
      header: mineHeader(parent.header, txids, bits),
      transactions,
      txids,
    };
    const left = waiting.filter((one) => !transactions.includes(one));
    this.state = { blocks: [...blocks, block], waiting: left };
  }

  /** Replaces the newest blocks by others, and one more. `place`: in which of them each of their transactions is now. */
  reorganize(depth: number, place: (former: number) => number | null): void {
    const { blocks, waiting } = this.state;
    const kept = blocks.slice(0, blocks.length - depth);
    const removed = blocks.slice(kept.length);
    const placed = removed.flatMap(({ transactions }, i) =>
      transactions.map((transaction) => ({ transaction, at: place(i) })),
    );
    this.state = { blocks: kept, waiting: [...placed.map(({ transaction }) => transaction), ...waiting] };
    for (let i = 0; i <= depth; i++)
      this.mine(placed.filter(({ at }) => at === i).map(({ transaction }) => transaction));
  }
}

function mineHeader(parent: Buffer, txids: readonly string[], bits: number): Buffer {
  const header = Buffer.alloc(80);
  doubleSha256(parent).copy(header, 4);
  merkleRoot(txids).copy(header, 36);
  header.writeUInt32LE(Math.floor(Date.now() / 1_000), 68);
  header.writeUInt32LE(bits, 72);
  for (let nonce = 0; ; nonce++) {
    header.writeUInt32LE(nonce, 76);
    // The highest byte of a hash is its last one.
    if (doubleSha256(header)[31]! < (bits === HARDER_BITS ? 1 : 0x7f)) return header;
  }
}

const pairUp = (level: readonly Buffer[]) =>
  Array.from({ length: Math.ceil(level.length / 2) }, (_, i) =>
    doubleSha256(Buffer.concat([level[2 * i]!, level[2 * i + 1] ?? level[2 * i]!])),
  );

function merkleRoot(txids: readonly string[]): Buffer {
  let level: Buffer[] = txids.map((txid) => Buffer.from(txid, "hex").reverse());
  while (level.length > 1) level = pairUp(level);
  return level[0]!;
}

/** The hashes next to a position on each level. */
export function merkleBranch(txids: readonly string[], position: number): string[] {
  const branch: string[] = [];
  let level: Buffer[] = txids.map((txid) => Buffer.from(txid, "hex").reverse());
  for (let at = position; level.length > 1; at >>= 1) {
    branch.push(displayHash(level[at ^ 1] ?? level[at]!));
    level = pairUp(level);
  }
  return branch;
}

/** The history of an address as the protocol writes it. */
export function historyOf({ blocks, waiting }: ElectrumState, scriptHash: string) {
  const entries = (transactions: readonly ElectrumTransaction[], height: number) =>
    transactions
      .filter((one) => one.scriptHash === scriptHash)
      .map(({ txid }) => ({ tx_hash: txid, height }));
  return [
    ...blocks.flatMap(({ transactions, height }) => entries(transactions, height)),
    ...entries(waiting, 0),
  ];
}

/** The protocol's digest of a history. null: it is empty. */
export function statusOf(history: ReturnType<typeof historyOf>): string | null {
  if (history.length === 0) return null;
  return hash("sha256", history.map(({ tx_hash, height }) => `${tx_hash}:${height}:`).join(""));
}
