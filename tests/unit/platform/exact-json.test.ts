import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { openNodeClient } from "#lib/chains/node-client.ts";
import { openRpcClient } from "#lib/chains/rpc-client.ts";
import { fetchSolanaTransactionRecord } from "#lib/chains/solana/fetch-transaction.ts";
import { parseExactJson } from "#lib/platform/exact-json.ts";

test("numbers that a float would change are passed on as they were written, all others are numbers", () => {
  for (const text of [
    "[9007199254740993,18446744073709551615]",
    '{"fee":5000,"of":[-12345678901234567,1,null,"9007199254740993"]}',
    "123456789.123456789",
  ]) {
    assert.equal(JSON.stringify(parseExactJson(text)), text);
  }
  assert.deepEqual(parseExactJson('{"slot":412345678,"rate":0.25,"most":999999999999999}'), {
    slot: 412_345_678,
    rate: 0.25,
    most: 999_999_999_999_999,
  });
  assert.throws(() => parseExactJson("{"), SyntaxError);
});

/** A client of a node that answers every request so. */
async function answering(t: TestContext, result: string) {
  const server = createServer(async (request, response) => {
    const { id } = (await json(request)) as { id: number };
    response.end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return openRpcClient(openNodeClient(url, { timeoutMs: 30_000 }));
}

test("a transaction on Solana is shown to the last lamport, however many an account holds", async (t) => {
  const signature = "5".repeat(87);
  const balances = '"preBalances":[12345678901234567,5000],"postBalances":[12345678901234566,5001]';
  const answer = `{"slot":5,"transaction":{"signatures":["${signature}"]},"meta":{${balances}}}`;
  const client = await answering(t, answer);
  assert.deepEqual(await fetchSolanaTransactionRecord(client, signature), {
    json: answer,
    shownAs: "object",
  });
});
