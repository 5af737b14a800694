import type { MempoolChange } from "./types.ts";

/** A list of a full mempool is shorter than this many changes. */
const MAX_HELD = 100_000;
const HASH_BYTES = 32;
const KINDS = { A: "added", R: "removed", C: "connected", D: "disconnected" } as const;

/** The changes of the node behind a ZMQ endpoint, held until they are taken. */
export interface MempoolChanges {
  /** A new number after each gap in what arrived. Null: the endpoint is not connected. */
  run(): number | null;
  /** Takes the changes that are held, oldest first. */
  take(): MempoolChange[];
  /** A message of the topic arrived. `count` numbers the topic's messages, so a lost one is noticed. */
  push(body: Buffer, count: Buffer | undefined): void;
  connect(): void;
  disconnect(): void;
}

export function holdMempoolChanges(): MempoolChanges {
  let runs = 0;
  let connected = false;
  let last: number | null = null;
  let held: MempoolChange[] = [];
  function begin(): void {
    runs += 1;
    last = null;
    held = [];
  }
  return {
    run: () => (connected ? runs : null),
    take() {
      const taken = held;
      held = [];
      return taken;
    },
    push(body, count) {
      const change = parseChange(body);
      const number = count?.length === 4 ? count.readUInt32LE() : null;
      const isNext = number !== null && (last === null || number === (last + 1) >>> 0);
      if (change === null || !isNext || held.length >= MAX_HELD) begin();
      if (change !== null) held.push(change);
      last = number;
    },
    connect() {
      begin();
      connected = true;
    },
    disconnect() {
      connected = false;
    },
  };
}

/** Null: no such message. */
function parseChange(body: Buffer): MempoolChange | null {
  if (body.length <= HASH_BYTES) return null;
  const hash = body.toString("hex", 0, HASH_BYTES);
  const kind = KINDS[String.fromCharCode(body.readUInt8(HASH_BYTES)) as keyof typeof KINDS];
  if (kind === "connected" || kind === "disconnected") return { kind, blockHash: hash };
  if (kind === undefined || body.length !== HASH_BYTES + 9) return null;
  return { kind, txid: hash, number: Number(body.readBigUInt64LE(HASH_BYTES + 1)) };
}
