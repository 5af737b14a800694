import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { openNodeClient } from "#lib/chains/node-client.ts";
import {
  parseTransactionKind,
  parseTransactionResults,
  parseTronBlock,
  parseTrxTransfer,
} from "#lib/chains/tron/block.ts";
import { callTronApi } from "#lib/chains/tron/http-api.ts";
import type { UnreadableEntry } from "#lib/chains/unreadable.ts";
import { isNodeError } from "#tests/support/node-errors.ts";

const HEIGHT = 66_987_565;
const ID = `${HEIGHT.toString(16).padStart(16, "0")}${"5c".repeat(24)}`;
const PARENT = `${(HEIGHT - 1).toString(16).padStart(16, "0")}${"28".repeat(24)}`;
const [PAYER, SHOP] = [
  "418840e6c55b9ada326d211d818c34a994aeced808",
  "41a614f803b6fd780986a42c78ec9c7f77e6ded13c",
];
const TIME_MS = 1_777_445_121_000;

/** A transaction as in getblockbynum, with the source text of the amount. */
const transaction = (id: string, type: string, amount: string, more = "") =>
  `{"ret":[{"contractRet":"SUCCESS"}],"signature":["${"1b".repeat(65)}"],"txID":"${id}","raw_data":{"contract":` +
  `[{"parameter":{"value":{"amount":${amount},${more}"owner_address":"${PAYER}","to_address":"${SHOP}"},` +
  `"type_url":"type.googleapis.com/protocol.${type}"},"type":"${type}"}],"ref_block_bytes":"275e",` +
  `"ref_block_hash":"5a1cb2c1f5a4d1b7","expiration":1777445178000,"timestamp":1777445119000},"raw_data_hex":"0a02"}`;

const block = (...transactions: readonly string[]) =>
  `{"blockID":"${ID}","block_header":{"raw_data":{"number":${HEIGHT},` +
  `"txTrieRoot":"${transactions.length === 0 ? "0".repeat(64) : "7d".repeat(32)}","witness_address":"${PAYER}",` +
  `"parentHash":"${PARENT}","version":35,"timestamp":${TIME_MS}},"witness_signature":"00"}` +
  `${transactions.length === 0 ? "" : `,"transactions":[${transactions.join()}]`}}`;

const [A, B, C] = ["a1".repeat(32), "b2".repeat(32), "c3".repeat(32)];
const TRC10 = transaction(B, "TransferAssetContract", "7", '"asset_name":"31303030303031",');

/** The result of callTronApi for an answer. */
async function ask(t: TestContext, answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jsonrpc`;
  return callTronApi(openNodeClient(url, { timeoutMs: 30_000 }), "getblockbynum", { num: HEIGHT });
}

test("parses TRX transfers exactly, past a float's precision, and no TRC-10 transfers", async (t) => {
  const text = block(
    transaction(A, "TransferContract", "9007199254740993"),
    TRC10,
    transaction(C, "TransferContract", "9223372036854775807"),
  );
  const { value } = await ask(t, (response) => response.end(text));
  const read = parseTronBlock(value, HEIGHT, []);
  assert.deepEqual(read?.header, {
    height: HEIGHT,
    hash: `0x${ID}`,
    parentHash: `0x${PARENT}`,
    time: new Date(TIME_MS),
    bloom: null,
    hasNoCalls: true,
  });
  const called = JSON.parse(block(transaction(A, "TriggerSmartContract", "0"))) as unknown;
  assert.equal(parseTronBlock(called, HEIGHT, [])?.header.hasNoCalls, false);
  const parties = { sender: `0x${PAYER?.slice(2)}`, address: `0x${SHOP?.slice(2)}`, result: "SUCCESS" };
  assert.deepEqual(read.transfers, [
    { ...parties, txHash: `0x${A}`, amount: 9_007_199_254_740_993n },
    { ...parties, txHash: `0x${C}`, amount: 9_223_372_036_854_775_807n },
  ]);
});

test("accepts a block without transactions only if its header says so, and skips unreadable transactions", () => {
  assert.deepEqual(parseTronBlock(JSON.parse(block()), HEIGHT, [])?.transfers, []);
  assert.equal(parseTronBlock({}, HEIGHT, []), null);
  assert.equal(parseTransactionKind(JSON.parse(TRC10)), "TransferAssetContract");
  const emptied = { ...JSON.parse(block(TRC10)), transactions: undefined };
  assert.throws(() => parseTronBlock(emptied, HEIGHT, []), isNodeError("malformed"));
  const filled = { ...JSON.parse(block()), transactions: [JSON.parse(TRC10)] };
  assert.throws(() => parseTronBlock(filled, HEIGHT, []), isNodeError("malformed"));
  assert.throws(() => parseTronBlock(JSON.parse(block()), HEIGHT + 1, []), isNodeError("malformed"));
});

test("takes no transaction for one that moves nothing because a part of it was left out", () => {
  const paid = JSON.parse(transaction(A, "TransferContract", "1"));
  const [contract] = paid.raw_data.contract;
  const { type: _type, ...untyped } = contract;
  const { amount: _amount, ...nothing } = contract.parameter.value;
  const withContract = (contracts: readonly object[]) => ({
    ...paid,
    raw_data: { ...paid.raw_data, contract: contracts },
  });
  const unread = withContract([]);
  for (const one of [
    unread,
    withContract([untyped]),
    withContract([{ ...contract, parameter: { value: nothing } }]),
  ])
    assert.throws(() => parseTrxTransfer(one), isNodeError("malformed"));
  const unreadable: UnreadableEntry[] = [];
  const whole = JSON.parse(block(TRC10)) as { transactions: object[] };
  const answer = { ...whole, transactions: [...whole.transactions, unread] };
  assert.deepEqual(parseTronBlock(answer, HEIGHT, unreadable)?.transfers, []);
  assert.equal(unreadable[0]?.entry, unread);
});

test("rejects amounts that are not a whole number of sun above 0", () => {
  const of = (amount: unknown) => {
    const answer = JSON.parse(transaction(A, "TransferContract", "1"));
    answer.raw_data.contract[0].parameter.value.amount = amount;
    return parseTrxTransfer(answer);
  };
  for (const amount of ["1.5", "1e3", "-1", "", " 1", "0x1", 1, null, {}, "0", undefined]) {
    assert.throws(() => of(amount), isNodeError("malformed"), JSON.stringify(amount));
  }
  assert.equal(of("12")?.amount, 12n);
});

test("takes a block's results only from that block's answer", () => {
  const header = { height: HEIGHT, hash: `0x${ID}`, parentHash: `0x${PARENT}`, time: new Date(TIME_MS) };
  const result = { blockNumber: HEIGHT, blockTimeStamp: TIME_MS, fee: 267_000, contractResult: [""] };
  const outcomes = parseTransactionResults(
    [
      { ...result, id: A },
      { ...result, id: B, result: "FAILED" },
    ],
    header,
  );
  assert.deepEqual(
    [...outcomes],
    [
      [`0x${A}`, "done"],
      [`0x${B}`, "failed"],
    ],
  );
  assert.deepEqual([...parseTransactionResults({}, header)], []);
  for (const other of [{ blockNumber: HEIGHT - 1 }, { blockTimeStamp: TIME_MS + 3_000 }]) {
    assert.throws(
      () => parseTransactionResults([{ ...result, ...other, id: A }], header),
      isNodeError("inconsistent"),
    );
  }
});

test("distinguishes refusals from answers, and rate limits from other refusals", async (t) => {
  const says = (status: number, body: string) => () =>
    ask(t, (response) => response.writeHead(status).end(body));
  for (const [status, body, kind] of [
    [200, '{"Error":"class java.lang.NullPointerException : null"}', "refused"],
    [200, '{"Error":"class java.lang.IllegalAccessException : lack of computing resources"}', "rate_limited"],
    [
      403,
      '{"Success":false,"Error":"The key exceeds the frequency limit(15)","StatusCode":403}',
      "rate_limited",
    ],
    [404, '{"Error":"this API is unavailable due to config"}', "refused"],
    [500, "{}", "malformed"],
    [200, "[1", "malformed"],
    [200, "7", "malformed"],
  ] as const) {
    await assert.rejects(says(status, body), isNodeError(kind), body);
  }
  assert.deepEqual((await says(200, "{}")()).value, {});
});
