import type { NativeNode } from "../evm/native-reader.ts";
import { NodeError } from "../node-error.ts";
import { parseFields, parseUint } from "../parse-json.ts";
import { callTronApi } from "./http-api.ts";

/** Fetches the sun that a transaction in a block burned for bandwidth, energy and new accounts. A fee of 0 is left out by the node. */
export async function fetchTronFee({ line }: NativeNode, txHash: string): Promise<bigint> {
  const { value } = await callTronApi(line, "gettransactioninfobyid", { value: txHash });
  const { id, fee = 0 } = parseFields("a transaction's outcome", value);
  if (id !== txHash) throw new NodeError("inconsistent", `the node does not tell what ${txHash} cost`);
  return BigInt(parseUint("a transaction's fee", fee));
}
