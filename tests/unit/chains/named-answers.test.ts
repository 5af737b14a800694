/** An answer about one transaction counts only if it names that transaction. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ETHEREUM } from "#lib/chains/evm/dialect.ts";
import { fetchEvmPayments } from "#lib/chains/evm/fetch-payments.ts";
import { fetchEvmTransactionStatus } from "#lib/chains/evm/fetch-receipt.ts";
import type { NativeNode } from "#lib/chains/evm/native-reader.ts";
import type { RpcCall, RpcClient } from "#lib/chains/rpc-client.ts";
import { fetchSolanaPayments } from "#lib/chains/solana/fetch-transaction.ts";
import type { CoreNode } from "#lib/chains/utxo/core-client.ts";
import { fetchUtxoTransaction } from "#lib/chains/utxo/fetch-transaction.ts";
import { fetchXrpPayments } from "#lib/chains/xrp/fetch-transaction.ts";
import type { RippledClient } from "#lib/chains/xrp/rippled-client.ts";
import { isNodeError } from "#tests/support/node-errors.ts";

const [ASKED, OTHER] = ["1".repeat(64), "2".repeat(64)];
const inconsistent = isNodeError("inconsistent");

const answering = (answer: (call: RpcCall) => unknown) =>
  ({ batch: async (calls: readonly RpcCall[]) => calls.map(answer) }) as unknown as RpcClient;

test("EVM: a failed receipt of another transaction does not make this one fail", async () => {
  const receipt = {
    transactionHash: `0x${OTHER}`,
    status: "0x0",
    blockNumber: "0x1",
    blockHash: `0x${OTHER}`,
  };
  const client = answering(({ method }) => (method === "eth_getTransactionReceipt" ? receipt : null));
  const node = { client } as unknown as NativeNode;
  const tokens = { coin: null, contracts: [] };
  await assert.rejects(fetchEvmPayments(node, tokens, ETHEREUM, `0x${ASKED}`), inconsistent);
});

test("EVM: a waiting transaction of another hash does not make this one wait", async () => {
  const call = async (method: string) =>
    method === "eth_getTransactionByHash" ? { hash: `0x${OTHER}`, blockNumber: null } : null;
  const client = { call } as unknown as RpcClient;
  await assert.rejects(fetchEvmTransactionStatus(client, `0x${ASKED}`), inconsistent);
});

test("bitcoin: the record of another transaction is refused", async () => {
  const node = { batch: async () => [{ ok: true, result: { txid: OTHER } }] } as unknown as CoreNode;
  await assert.rejects(fetchUtxoTransaction(node, ASKED, null), inconsistent);
});

test("Solana: a final failure is that of the transaction that was asked for", async () => {
  const status = { slot: 5, err: { some: "error" }, confirmationStatus: "finalized" };
  const other = { slot: 5, transaction: { signatures: ["5".repeat(88)] }, meta: { err: {} } };
  const client = answering(({ method }) => (method === "getTransaction" ? other : { value: [status] }));
  await assert.rejects(fetchSolanaPayments(client, [], "4".repeat(88)), inconsistent);
});

test("XRP: the outcome of another transaction is refused", async () => {
  const client = {
    name: "node",
    ask: async () => ({ hash: OTHER, validated: true }),
  } as unknown as RippledClient;
  await assert.rejects(fetchXrpPayments(client, "test", ASKED), inconsistent);
});
