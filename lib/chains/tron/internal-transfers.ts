import type { EvmBlockHeader } from "../evm/codec.ts";
import type { NativeMovement } from "../evm/native-reader.ts";
import { parseFields, parseList, throwMalformed } from "../parse-json.ts";
import { TRACE_POSITION } from "../transfers.ts";
import { parseEach, type UnreadableEntry } from "../unreadable.ts";

/** Notes of internal transactions that move TRX to the address that they name. Others freeze, delegate or vote. */
const MOVING = new Set(["call", "create", "suicide"].map((note) => Buffer.from(note).toString("hex")));

interface InternalEntry {
  readonly txHash: string;
  readonly position: number;
  readonly fields: unknown;
}

/**
 * Parses the TRX that contracts move in a block from an answer of gettransactioninfobyblocknum with addresses in hex: its
 * internal transactions, in the order of execution. A failed transaction moved nothing, and neither did a rejected part of
 * one. Malformed entries go to `unreadable`.
 */
export function parseInternalTransfers(
  answer: unknown,
  header: EvmBlockHeader,
  unreadable: UnreadableEntry[],
): readonly NativeMovement[] {
  const entries = parseList("outcomes", answer).flatMap((info): InternalEntry[] => {
    const { id, result = "SUCESS", internal_transactions: inner = [] } = parseFields("a result", info);
    if (result !== "SUCESS") return [];
    return parseList("internal transactions", inner).map((fields, i) => {
      return { txHash: `0x${String(id)}`, position: TRACE_POSITION + i, fields };
    });
  });
  const parse = ({ txHash, position, fields }: InternalEntry): NativeMovement | null => {
    const {
      caller_address,
      transferTo_address,
      callValueInfo = [],
      note,
      rejected,
    } = parseFields("a move", fields);
    if (rejected === true || !MOVING.has(String(note))) return null;
    const amount = parseList("a move's values", callValueInfo).reduce<bigint>(
      (sum, one) => sum + readTrx(one),
      0n,
    );
    if (amount === 0n) return null;
    const place = { blockHeight: header.height, blockHash: header.hash };
    const parties = { sender: readAddress(caller_address), address: readAddress(transferTo_address) };
    return { txHash, position, ...parties, amount, ...place };
  };
  return parseEach(entries, (entry) => parse(entry as InternalEntry), unreadable).filter(
    (move) => move !== null,
  );
}

/** The receiver of an internal transaction that cannot be parsed. Null: not known. */
export function listInternalReceiver(entry: unknown): readonly string[] | null {
  const { transferTo_address: to } = Object(Object(entry).fields) as { transferTo_address?: unknown };
  return typeof to === "string" && /^41[0-9a-f]{40}$/i.test(to) ? [readAddress(to)] : null;
}

/** Sun. A value with a token is of TRC-10. Zeros are left out. */
function readTrx(value: unknown): bigint {
  const { callValue = "0", tokenId } = parseFields("a move's value", value);
  if (tokenId !== undefined && tokenId !== "") return 0n;
  if (typeof callValue !== "string" || !/^[0-9]{1,19}$/.test(callValue))
    throwMalformed("a move's value", callValue);
  return BigInt(callValue);
}

function readAddress(value: unknown): string {
  if (typeof value !== "string" || !/^41[0-9a-f]{40}$/i.test(value)) throwMalformed("an address", value);
  return `0x${value.slice(2).toLowerCase()}`;
}
