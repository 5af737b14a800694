/** Cases that only the XRP Ledger has, on our fake of a server: partial payments, tags, pages, gaps, identity. */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Wallet } from "xrpl";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { encodeXAddress } from "#lib/chains/xrp/address.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { type FakeNode, startFakeNode, type Twist } from "#tests/support/fake-node.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import {
  DROPS_PER_XRP,
  PARTIAL_PAYMENT,
  startXrpWorld,
  type XrpWorld,
  xrpAdapter,
} from "#tests/support/xrp.ts";

let world: XrpWorld;
/** In front of the fake. */
let front: FakeNode;
let adapter: NetworkAdapter;

before(async () => {
  world = await startXrpWorld();
  front = await startFakeNode(world.url);
  adapter = world.adapter();
});
afterEach(() => {
  Object.assign(front, { twist: null, answer: null });
});
after(async () => {
  await front.close();
  await world.stop();
});

const address = (index: number) => adapter.addresses.derive(index).address;
const height = () => world.ledgers.tip().index;
const behindFront = () => xrpAdapter(world.account, front.url);
const xrp = (whole: number) => String(BigInt(whole) * DROPS_PER_XRP);

/** Returns the payments of the newest ledger to these addresses. */
async function inTip(reader: NetworkAdapter, ...addresses: string[]) {
  const { transfers } = await reader.blocks.scan({ from: height(), to: height() }, owning(...addresses));
  return transfers;
}

function changeMeta(change: object): Twist {
  return async ({ method }, pass) => {
    if (method !== "account_tx") return undefined;
    const page = (await pass()) as { transactions: { meta: object }[] };
    const transactions = page.transactions.map((entry) => ({ ...entry, meta: { ...entry.meta, ...change } }));
    return { ...page, transactions };
  };
}

test("counts what a partial payment delivered, whatever its amount says", async () => {
  const to = address(1);
  const partial = { SendMax: world.token("2"), Flags: PARTIAL_PAYMENT };
  const hash = await world.pay(world.payer, to, xrp(1_000_000), partial);
  world.mine();
  const [found, ...more] = await inTip(adapter, to);
  assert.deepEqual(more, []);
  assert.equal(found?.txHash, hash);
  assert.equal(found?.amount, 2n * DROPS_PER_XRP);
  const lookup = await adapter.transactions!.fetchPayments(hash);
  assert.deepEqual(
    lookup?.payments?.map((payment) => [payment.address, payment.amount]),
    [[to, 2n * DROPS_PER_XRP]],
  );
});

test("reports a conversion that delivers the whole amount, and one that cannot as a failure", async () => {
  const to = address(2);
  await world.pay(world.payer, to, xrp(3), { SendMax: world.token("5") });
  const failed = await world.pay(world.payer, to, xrp(30), { SendMax: world.token("5") });
  world.mine();
  assert.deepEqual(
    (await inTip(adapter, to)).map(({ amount }) => amount),
    [3n * DROPS_PER_XRP],
  );
  assert.deepEqual(await adapter.transactions!.fetchStatus(failed), { kind: "failed" });
  assert.deepEqual((await adapter.transactions!.fetchPayments(failed))?.payments, []);
  assert.equal((await adapter.transactions!.fetchPayments(failed))?.failed, true);
});

test("an amount that cannot be read stops the ledger only if the account received something", async () => {
  const to = address(3);
  await world.pay(world.payer, to, xrp(5));
  world.mine();
  front.twist = changeMeta({ delivered_amount: "-1" });
  await assert.rejects(inTip(behindFront(), to), /a delivered amount that is no amount in drops/);
  const root = (fields: object) => [{ ModifiedNode: { LedgerEntryType: "AccountRoot", ...fields } }];
  const same = { FinalFields: { Account: world.account, Balance: "7" }, PreviousFields: { Flags: 0 } };
  for (const AffectedNodes of [[], root(same), root({ FinalFields: { Account: "rOther" } })]) {
    front.twist = changeMeta({ delivered_amount: "-1", AffectedNodes });
    assert.deepEqual(await inTip(behindFront(), to), [], JSON.stringify(AffectedNodes));
  }
});

test("ignores a payment without a known delivered amount, and one that delivered a token", async () => {
  const to = address(3);
  await world.pay(world.payer, to, xrp(5));
  world.mine();
  assert.equal((await inTip(behindFront(), to)).length, 1);
  for (const delivered_amount of ["unavailable", world.token("5", "XRX"), "0"]) {
    front.twist = changeMeta({ delivered_amount });
    assert.deepEqual(await inTip(behindFront(), to), [], JSON.stringify(delivered_amount));
  }
  front.twist = changeMeta({ TransactionResult: "tecPATH_PARTIAL" });
  assert.deepEqual(await inTip(behindFront(), to), [], "a failure, though it says that it delivered");
});

test("the account's tag says whose payment it is, and the sender's tag belongs to the sender", async () => {
  const [a, b] = [address(4), address(5)];
  await world.pay(world.payer, a, xrp(1), { SourceTag: 77 });
  await world.pay(world.payer, b, xrp(2));
  world.mine();
  const filter = owning(a);
  const { transfers } = await adapter.blocks.scan({ from: height(), to: height() }, filter);
  assert.deepEqual(
    transfers.map(({ address: to, extra, sender }) => [to, extra, sender]),
    [[a, "5", encodeXAddress({ account: world.payer.classicAddress, tag: 77 }, "test")]],
  );
  assert.equal(filter.asked.length, 1, "one question for all of them");
  assert.equal(filter.asked[0]?.includes(b), true);
});

test("reports the balance of a deleted account for the address that it names", async () => {
  const leaver = Wallet.generate();
  await world.pay(world.payer, leaver.classicAddress, xrp(20));
  world.mine();
  const [Destination, DestinationTag] = [world.account, 8];
  const hash = await world.submit(leaver, { TransactionType: "AccountDelete", Destination, DestinationTag });
  world.mine();
  const [found] = await inTip(adapter, address(7));
  assert.equal(found?.txHash, hash);
  assert.equal(found?.amount, 20n * DROPS_PER_XRP - 12n);
});

test("ignores what the account itself sends", async () => {
  const to = address(9);
  await world.pay(world.receiver, world.payer.classicAddress, xrp(2));
  await world.submit(world.receiver, { TransactionType: "AccountSet" });
  await world.pay(world.payer, to, xrp(3));
  world.mine();
  assert.deepEqual(
    (await inTip(adapter, to)).map(({ amount }) => amount),
    [3n * DROPS_PER_XRP],
  );
});

test("a waiting payment belongs to no one yet, and excludes others with its sequence", async () => {
  const hash = await world.pay(world.payer, address(10), xrp(1));
  const waiting = await adapter.transactions!.fetchPayments(hash);
  assert.deepEqual(await adapter.transactions!.fetchStatus(hash), { kind: "pending" });
  assert.deepEqual([waiting?.block, waiting?.payments], [null, null]);
  world.mine();
  const taken = await adapter.transactions!.fetchPayments(hash);
  assert.deepEqual(taken?.block, { height: height(), hash: world.ledgers.tip().hash });
  assert.deepEqual(taken?.spends, waiting?.spends);
  assert.match(String(taken?.spends), new RegExp(`^${world.payer.classicAddress}:\\d+$`));
  assert.equal(await adapter.transactions!.fetchPayments("AB".repeat(32)), null);
});

test("follows pages to the last, in whatever order their transactions are", async () => {
  const to = address(11);
  const from = height() + 1;
  const sent: string[] = [];
  for (let i = 0; i < 7; i++) {
    sent.push(await world.pay(world.payer, to, BigInt(i + 1)));
    if (i % 3 === 0) world.mine();
  }
  world.mine();
  front.twist = async ({ method, params }, pass) => {
    if (method !== "account_tx") return undefined;
    Object.assign(Object(params[0]), { limit: 2 });
    const page = (await pass()) as { transactions: unknown[] };
    return { ...page, transactions: page.transactions.toReversed() };
  };
  const before = front.calls.length;
  const { transfers } = await behindFront().blocks.scan({ from, to: height() }, owning(to));
  assert.deepEqual(
    transfers.map(({ txHash }) => txHash),
    sent,
  );
  const pages = front.calls.slice(before).filter(({ method }) => method === "account_tx");
  assert.equal(pages.length, 4);
});

test("refuses a server with a gap in its history for what happened in the gap", async () => {
  const to = address(12);
  const from = height() + 1;
  await world.pay(world.payer, to, xrp(4));
  world.mine(5);
  const reader = behindFront();
  assert.equal((await reader.blocks.scan({ from, to: height() }, owning(to))).transfers.length, 1);
  // Only the ledger that holds the payment is missing.
  const page = { ledger_index_min: from + 1 };
  front.twist = async ({ method }, pass) =>
    method === "account_tx" ? { ...((await pass()) as object), ...page, transactions: [] } : undefined;
  await assert.rejects(reader.blocks.scan({ from, to: height() }, owning(to)), isNodeError("inconsistent"));
  front.twist = null;

  const gappy = await startXrpWorld();
  try {
    gappy.mine(10);
    const { history } = gappy.ledgers;
    history.forget(5, 8);
    assert.match(history.complete(), /^1-4,9-/);
    const scanned = (range: { from: number; to: number }) => gappy.adapter().blocks.scan(range, owning(to));
    await assert.rejects(scanned({ from: 7, to: 12 }), isNodeError("inconsistent"));
    await assert.rejects(scanned({ from: 2, to: 12 }), isNodeError("inconsistent"), "both ends are held");
    await assert.rejects(
      gappy.adapter().blocks.fetchHash(7),
      isNodeError("refused"),
      "not null: the chain has it",
    );
    assert.deepEqual((await scanned({ from: 9, to: 12 })).transfers, []);
    assert.equal(await gappy.adapter().blocks.fetchHash(history.held().max + 1), null);
  } finally {
    await gappy.stop();
  }
});

test("refuses a server of another network, one without a network id, and an account that does not exist", async () => {
  await adapter.blocks.checkIdentity();
  const mainnet = await startXrpWorld({ networkId: 0 });
  try {
    await assert.rejects(mainnet.adapter().blocks.checkIdentity(), isNodeError("wrong_chain"));
  } finally {
    await mainnet.stop();
  }
  front.twist = async ({ method }, pass) => {
    if (method !== "server_info") return undefined;
    const { info } = (await pass()) as { info: object };
    return { info: { ...info, network_id: undefined }, status: "success" };
  };
  await assert.rejects(behindFront().blocks.checkIdentity(), isNodeError("wrong_chain"));
  const nobody = xrpAdapter(Wallet.generate().classicAddress, world.url);
  await assert.rejects(nobody.blocks.fetchHead(), isNodeError("wrong_chain"));
  assert.throws(() => xrpAdapter("rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v4", world.url));
});

test("recognizes a rate limit however the server reports it", async () => {
  const answers = [
    (code: string) => ({ result: { status: "error", error: code } }),
    (code: string) => ({ error: { code: 429, message: code } }),
  ];
  for (const [i, error] of ["slowDown", "tooBusy"].entries()) {
    for (const answer of answers) {
      front.answer = (response) => response.end(JSON.stringify(answer(error)));
      await assert.rejects(behindFront().blocks.fetchHead(), isNodeError("rate_limited"), `${error} ${i}`);
    }
  }
  front.answer = (response) => response.writeHead(503).end("Server is overloaded");
  await assert.rejects(behindFront().blocks.fetchHead(), isNodeError("rate_limited"));
  front.answer = (response) =>
    response.end(JSON.stringify({ result: { status: "error", error: "amendmentBlocked" } }));
  await assert.rejects(behindFront().blocks.fetchHead(), isNodeError("refused"));
});

test("the fee is that of the next ledger, and the page of a payment shows only the address", async () => {
  assert.deepEqual(await adapter.feeRates!.fetch(), { kind: "flat", coin: "xrp", fee: 12n });
  const to = address(13);
  assert.equal(adapter.addresses.buildPaymentUri({ address: to, token: "xrp", amount: 5n }), to);
  assert.deepEqual(adapter.addresses.derive(6), { address: address(6), path: "tag 7" });
  assert.throws(() => adapter.addresses.derive(0xff_ff_ff_ff), RangeError);
  const tags = adapter.addresses.tags!;
  assert.deepEqual(
    [tags.read(address(6)), tags.read(tags.collecting)],
    [{ account: world.account, tag: "7" }, null],
  );
});

test("ignores XRP that arrives without a payment, and what offers receive in another currency", async () => {
  const hash = await world.pay(world.payer, address(11), xrp(1));
  const skipped = await world.submit(world.payer, { TransactionType: "AccountSet" });
  world.mine();
  const behind = behindFront();
  const unreportedCoin = async (change: { tx_json?: object; meta?: object }) => {
    front.twist = async ({ method }, pass) => {
      if (method !== "tx") return undefined;
      const answer = (await pass()) as { tx_json: object; meta: object };
      const [tx_json, meta] = [
        { ...answer.tx_json, ...change.tx_json },
        { ...answer.meta, ...change.meta },
      ];
      return { ...answer, tx_json, meta };
    };
    return (await behind.transactions!.fetchPayments(hash))?.inconclusiveToken;
  };
  assert.equal(await unreportedCoin({}), null);
  assert.equal(
    (await adapter.transactions!.fetchPayments(skipped))?.inconclusiveToken,
    null,
    "how a payment is called back",
  );
  assert.equal(await unreportedCoin({ tx_json: { TransactionType: "EscrowFinish" } }), "xrp");
  assert.equal(await unreportedCoin({ meta: { delivered_amount: world.token("2") } }), "xrp");
  assert.equal(await unreportedCoin({ meta: { delivered_amount: "unavailable" } }), "xrp");
  const failed = { TransactionResult: "tecNO_TARGET" };
  assert.equal(await unreportedCoin({ tx_json: { TransactionType: "EscrowFinish" }, meta: failed }), null);
});

test("believes no page that leaves a transaction of the account out, and asks the next server", async () => {
  const to = address(1);
  const from = height() + 1;
  const sent: string[] = [];
  for (let i = 1; i <= 5; i++) {
    sent.push(await world.pay(world.payer, to, xrp(i)));
    world.mine(2);
  }
  const range = { from, to: height() };
  const scan = async (reader: NetworkAdapter) =>
    (await reader.blocks.scan(range, owning(to))).transfers.map(({ txHash }) => txHash);
  assert.deepEqual(await scan(behindFront()), sent);
  type Entries = readonly unknown[];
  const faults: Readonly<Record<string, (all: Entries) => Entries>> = {
    "an empty page": () => [],
    "a short page": (all) => all.slice(0, -1),
    "a page without its first": (all) => all.slice(1),
    "a page with a gap": (all) => all.filter((_, i) => i !== 2),
  };
  for (const [name, change] of Object.entries(faults)) {
    front.twist = async ({ method }, pass) => {
      if (method !== "account_tx") return undefined;
      const page = (await pass()) as { transactions: Entries };
      return { ...page, transactions: change(page.transactions) };
    };
    await assert.rejects(scan(behindFront()), isNodeError("inconsistent"), name);
    assert.deepEqual(await scan(xrpAdapter(world.account, front.url, world.url)), sent, name);
  }
});
