/** Tokens without an entry: found in final blocks only, listed, not credited. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { searchUnlistedTokens } from "#lib/domain/deposits/unmatched/search-unlisted-tokens.ts";
import { deployOtherToken, FAUCET, reorg, rpc, sendEvmToken, sendEvmUsdt } from "#tests/support/anvil.ts";
import { forwardCoin } from "#tests/support/evm-payments.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import {
  findLedgerProblems,
  listUnmatched,
  openChain,
  readBalances,
  resolve,
} from "#tests/support/unmatched-chain.ts";
import { bep20, log, USDT, type WatchedChain } from "#tests/support/watched-chain.ts";

/** One pass after another, each ten minutes later than the last: nothing is due sooner. */
function openSweep(chain: WatchedChain, networks: NetworkRegistry = chain.networks) {
  let now = Date.now();
  return () => {
    now += 600_000;
    return searchUnlistedTokens({
      database: chain.database.database,
      networks,
      log,
      now: () => new Date(now),
    });
  };
}

test("lists another token once its block is final, with contract and raw amount, without a ledger entry", async (t) => {
  const chain = await openChain(t);
  const link = await chain.link(10);
  const token = await deployOtherToken(chain.url);
  const sweep = openSweep(chain);
  chain.watch();
  await chain.caughtUp();
  await sweep();
  const hash = await sendEvmToken(chain.url, token, link.address, 12_345n);
  await chain.mine();
  await sweep();
  assert.deepEqual(await listUnmatched(chain), []);
  await chain.mine(3);
  await sweep();
  await sweep();
  const [row, ...more] = await listUnmatched(chain);
  assert.deepEqual(more, []);
  const { id, createdAt: _, updatedAt: __, ...rest } = row!;
  assert.deepEqual(rest, {
    network: "bep20",
    addressNetwork: "bep20",
    address: link.address.toLowerCase(),
    purpose: "payment_link",
    merchantEmail: "shop@example.com",
    customerEmail: "c1@example.com",
    payerEmail: "c1@example.com",
    refid: link.refid,
    reference: "R1",
    txHash: hash,
    position: 0,
    sender: FAUCET.address,
    extra: null,
    token: null,
    contract: token,
    amount: 12_345n,
    reason: "unknown_token",
    status: "held",
    confirmations: null,
    requiredConfirmations: null,
  });
  assert.equal(await chain.linkState(link.refid), "awaiting");
  assert.deepEqual(await chain.deposits(), []);

  const resolved = await resolve(chain, id);
  assert.deepEqual(resolved.ok && resolved.credited, null);
  assert.deepEqual(await resolve(chain, id), { ok: false, reason: "already_resolved" });
  assert.deepEqual(await listUnmatched(chain), []);
  assert.deepEqual(await readBalances(chain), {});
  assert.deepEqual(await findLedgerProblems(chain), []);
});

test("never lists another token in a block that was replaced before it was final", async (t) => {
  const chain = await openChain(t);
  const { address } = await chain.address();
  const token = await deployOtherToken(chain.url);
  const sweep = openSweep(chain);
  await sweep();
  await sendEvmToken(chain.url, token, address, 5n);
  await chain.mine();
  await sweep();
  await reorg(chain.url, 1);
  await sendEvmToken(chain.url, token, address, 6n);
  await chain.mine(5);
  await sweep();
  assert.deepEqual(
    (await listUnmatched(chain)).map(({ amount }) => amount),
    [6n],
  );
});

test("does not list transfers of zero, events that only look like a transfer, or payments by contracts", async (t) => {
  const chain = await openChain(t);
  const { address } = await chain.address();
  const token = await deployOtherToken(chain.url);
  const sweep = openSweep(chain);
  chain.watch();
  await chain.caughtUp();
  await sweep();
  await sendEvmToken(chain.url, token, address, 0n);
  const real = await sendEvmToken(chain.url, token, address, 9n);
  // Logs Transfer(caller, address, no value): LOG3 without data, as an unusual contract may.
  const topics = ["7f", "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"].join("");
  const init = `0x73${address.slice(2)}33${topics}600060 00a300`.replace(" ", "");
  await rpc(chain.url, "eth_sendTransaction", [{ from: FAUCET.address, data: init, gas: "0x186a0" }]);
  // A documented limit: it leaves no log and is in no transaction.
  await forwardCoin(chain.url, address, 10n ** 18n);
  await chain.mine(5);
  await chain.caughtUp();
  await sweep();
  const odd = (await rpc(chain.url, "eth_getLogs", [
    { fromBlock: "0x0", topics: [`0x${topics.slice(2)}`] },
  ])) as {
    data: string;
  }[];
  assert.ok(
    odd.some(({ data }) => data === "0x"),
    "the odd log is there",
  );
  assert.deepEqual(
    (await listUnmatched(chain)).map(({ txHash, amount }) => [txHash, amount]),
    [[real, 9n]],
  );
  assert.deepEqual(await chain.deposits(), []);
  assert.deepEqual(await findLedgerProblems(chain), []);
});

test("a node that refuses the search for unknown tokens still credits payments, and the search is repeated later", async (t) => {
  const chain = await openChain(t);
  const fake = await openFakeNode(t, chain.url);
  const networks = bep20(fake.url);
  const { address } = await chain.address();
  const token = await deployOtherToken(chain.url);
  const sweep = openSweep(chain, networks);
  chain.watch(networks);
  await chain.caughtUp();
  await sweep();
  const refused = { times: 0 };
  fake.twist = ({ method, params }) => {
    if (method !== "eth_getLogs" || "address" in (params[0] as object)) return undefined;
    refused.times += 1;
    throw new Error("specify an address in your request");
  };
  await sendEvmToken(chain.url, token, address, 4n);
  await sendEvmUsdt(chain.url, address, USDT);
  await chain.mine(5);
  await sweep();
  assert.ok(refused.times > 0);
  await chain.depositsAre(["credited"]);
  assert.deepEqual(await listUnmatched(chain), []);
  fake.twist = null;
  await sweep();
  assert.equal((await listUnmatched(chain)).length, 1);
});
