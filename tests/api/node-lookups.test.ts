/** Endpoints 6, 7 and 8 limit the concurrent lookups on a network's nodes. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startTestChain, USDT_ADDRESS } from "#tests/support/anvil.ts";
import type { TestMerchant, TestResponse } from "#tests/support/api.ts";
import { startTestChainApi } from "#tests/support/chain-api.ts";
import { startTestFakeNode } from "#tests/support/fake-node.ts";
import { refused } from "#tests/support/says.ts";
import { bep20, evmNetwork } from "#tests/support/watched-chain.ts";

const [anvil, base] = [await startTestChain("bep20"), await startTestChain("base")];
const fake = await startTestFakeNode(anvil.url);
const api = await startTestChainApi(bep20(fake.url), evmNetwork("base", [base.url], { usdt: USDT_ADDRESS }));
after(() => Promise.all([anvil.kill(), base.kill()]));
const [ada, obi, eze] = [await api.merchant(), await api.merchant(), await api.merchant()];

const tx_hash = `0x${"ab".repeat(32)}`;
const send = (path: string, form: Record<string, string>, { test: key }: TestMerchant) =>
  api.send({ path: `/transaction/${path}`, form, key });
const fee = (by: TestMerchant, network = "bep20") => send("network-fee", { network }, by);
const search = (by: TestMerchant) => send("search-blockchain-txhash", { tx_hash, network: "bep20" }, by);
const requery = (by: TestMerchant) => send("requery/bep20", { tx_hash }, by);
const CALLS = { fee, search, requery };

/** The node holds every lookup without a response until it is released. */
function hold() {
  const going = Promise.withResolvers<void>();
  let reached = Promise.withResolvers<void>();
  fake.twist = async ({ method }) => {
    if (!/^eth_(gasPrice|getTransaction)/.test(method)) return undefined;
    reached.resolve();
    await going.promise;
    return undefined;
  };
  const asked: Promise<TestResponse>[] = [];
  /** Sends a request. Resolves when the node has received its lookup. */
  const reach = async (send: () => unknown) => {
    reached = Promise.withResolvers();
    send();
    await reached.promise;
  };
  return {
    reach,
    ask: (call: keyof typeof CALLS, by: TestMerchant) => reach(() => asked.push(CALLS[call](by))),
    async release() {
      fake.twist = null;
      going.resolve();
      return (await Promise.all(asked)).map(({ status }) => status);
    },
  };
}

function tooMany(answer: TestResponse): void {
  refused(answer, 429, "too many requests");
  assert.equal(answer.headers.get("retry-after"), "1");
  assert.match(answer.headers.get("ratelimit") ?? "", /^"key";r=[1-9]/);
}

test("refuses the third concurrent lookup of a merchant, on any of the endpoints, but not on other networks or by other merchants", async () => {
  for (const [first, second, statuses] of [
    ["fee", "fee", [200, 200]],
    ["search", "requery", [404, 404]],
  ] as const) {
    const held = hold();
    await held.ask(first, ada);
    await held.ask(second, ada);
    const before = fake.calls.length;
    const more = Array.from({ length: 18 }, (_, i) => [fee, search, requery][i % 3]!(ada));
    for (const answer of await Promise.all(more)) tooMany(answer);
    assert.equal(fake.calls.length, before, "the node is not asked");
    assert.equal((await fee(ada, "base")).status, 200);
    await held.ask("fee", obi);
    assert.deepEqual(await held.release(), [...statuses, 200]);
    assert.equal((await fee(ada)).status, 200);
  }
});

test("at most four lookups run on a network for all merchants; the next one is accepted when one has ended", async () => {
  const held = hold();
  for (const by of [ada, obi]) {
    await held.ask("fee", by);
    await held.ask("search", by);
  }
  tooMany(await fee(eze));
  assert.deepEqual(await held.release(), [200, 404, 200, 404]);
  assert.equal((await fee(eze)).status, 200);
});

test("a lookup on a node that answers rubbish fails, and frees its place", async () => {
  fake.answer = (response) => response.end("<html>maintenance</html>");
  for (let i = 0; i < 5; i++) {
    refused(await fee(ada), 503, "network not available");
    refused(await search(ada), 503, "network not available");
    refused(await requery(ada), 502, "Action Failed");
  }
  fake.answer = null;
  assert.equal((await fee(ada)).status, 200);
});

test("a lookup whose client disconnects keeps its place until the node responds, and no longer", async () => {
  const held = hold();
  const gone = new AbortController();
  const headers = { "x-staging-api-key": ada.test };
  const body = new URLSearchParams({ network: "bep20" });
  const url = `${api.origin}/v1/transaction/network-fee`;
  let left: Promise<unknown> = Promise.resolve();
  await held.reach(() => {
    left = fetch(url, { method: "POST", headers, body, signal: gone.signal });
  });
  gone.abort();
  await assert.rejects(left);
  await held.ask("search", ada);
  tooMany(await fee(ada));
  assert.deepEqual(await held.release(), [404]);
  assert.equal((await fee(ada)).status, 200);
});
