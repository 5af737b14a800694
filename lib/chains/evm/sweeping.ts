import { throwMalformed } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import { parseQuantity } from "./codec.ts";

/** An account on the chain. */
export interface EvmAccount {
  /** Lower-case hex. "0x": none. A delegated account (EIP-7702) has 0xef0100 and the address of the contract. */
  readonly code: string;
  readonly nonce: number;
}

/** A call that a node runs without a transaction. */
export interface EvmCall {
  readonly from: string;
  readonly to: string;
  readonly data: string;
}

/** A code that a call assumes at some accounts. */
export interface EvmCode {
  readonly code: string;
  readonly accounts: readonly string[];
}

/** Code and nonce of accounts, in their order, in one batch. */
export async function fetchAccounts(
  client: RpcClient,
  addresses: readonly string[],
): Promise<readonly EvmAccount[]> {
  const answers = await client.batch(
    addresses.flatMap((address) =>
      ["eth_getCode", "eth_getTransactionCount"].map((method) => ({ method, params: [address, "latest"] })),
    ),
  );
  return addresses.map((_, at) => ({
    code: parseBytes("a code", answers[2 * at]),
    nonce: parseQuantity("a nonce", answers[2 * at + 1]),
  }));
}

/** Runs a call as if these accounts had this code (a state override of eth_call), and returns its answer as hex. */
export async function callWithCode(
  client: RpcClient,
  call: EvmCall,
  { code, accounts }: EvmCode,
): Promise<string> {
  const overrides = Object.fromEntries(accounts.map((account) => [account, { code }]));
  return parseBytes("an answer", await client.call("eth_call", [call, "latest", overrides]));
}

function parseBytes(what: string, value: unknown): string {
  return typeof value === "string" && /^0x([0-9a-f]{2})*$/i.test(value)
    ? value.toLowerCase()
    : throwMalformed(what, value);
}
