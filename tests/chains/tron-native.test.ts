/** Payments in TRX, which only the HTTP API of a node shows whole. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TronWeb } from "tronweb";
import { displayPosition, NO_POSITION } from "#lib/chains/transfers.ts";
import { changeBlock } from "#tests/chains/contract/drivers/tron-answers.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import {
  jsonRpc,
  newAccount,
  payTrc10,
  payTrx,
  payUsdt,
  trc20,
  trc20Adapter,
  wallet,
} from "#tests/support/tron.ts";
import { openBehindFake, openReader, scanAll } from "./tron-reader.ts";

test("sees TRX by a stock tronweb in addition to the token, to the sun, and never a TRC-10 transfer", async (t) => {
  const { emulator, adapter } = await openReader(t);
  const { address } = adapter.addresses.derive(3);
  const txHash = await payTrx(emulator, address, 12_345_678);
  const named = await payTrc10(emulator, address, 12_345_678);
  const other = await payUsdt(emulator, address, 1);
  await payTrx(emulator, newAccount().address, 5);
  await emulator.mine();
  const { height, hash } = await adapter.blocks.fetchHead();
  const [transfer, ...others] = await scanAll(adapter, address);
  assert.deepEqual(
    others.map((one) => [one.txHash, one.token]),
    [[other, "usdt"]],
  );
  const block = await wallet(emulator).trx.getBlockByNumber(height);
  assert.deepEqual(transfer, {
    txHash,
    position: NO_POSITION,
    token: "trx",
    address,
    sender: emulator.faucet.address,
    amount: 12_345_678n,
    block: { height, hash, time: new Date(block.block_header.raw_data.timestamp) },
    spends: [],
    unmatchedReason: null,
  });
  assert.deepEqual(await adapter.transactions!.fetchStatus(txHash), {
    kind: "confirmed",
    blockHeight: height,
    blockHash: hash,
  });

  const paid = { position: NO_POSITION, token: "trx", address, amount: 12_345_678n };
  assert.deepEqual((await adapter.transactions!.fetchPayments(txHash))?.payments, [paid]);
  const { result } = await jsonRpc(emulator, "eth_getTransactionByHash", [`0x${named}`]);
  assert.equal(Number((result as { value: string }).value), 12_345_678, "the JSON-RPC reports it as TRX");
  assert.deepEqual((await adapter.transactions!.fetchPayments(named))?.payments, []);
});

test("asks nothing of the HTTP API for watching when TRX is not received; withdrawals in it are still read", async (t) => {
  const { emulator, fake, address } = await openBehindFake(t);
  const adapter = trc20({ url: fake.url, usdt: emulator.usdt }, { tokens: ["usdt"] }).find("test", "trc20")!;
  const trx = await payTrx(emulator, address, 7_000_000);
  const usdt = await payUsdt(emulator, address, 1_000_000);
  await emulator.mine(3);
  await adapter.blocks.checkIdentity();
  assert.deepEqual(
    (await scanAll(adapter, address)).map(({ txHash, token }) => [txHash, token]),
    [[usdt, "usdt"]],
  );
  const neededFor = (await adapter.nodes.probe({ all: false })).flatMap(({ checks }) =>
    checks.map((one) => one.neededFor),
  );
  assert.ok(neededFor.includes("payments in tokens") && !neededFor.includes("payments in trx"));
  const asked = fake.calls.map(({ method }) => method).filter((method) => /^wallet.*block/.test(method));
  assert.deepEqual(asked, []);
  const paid = await adapter.transactions!.fetchPayments(trx);
  assert.deepEqual(
    paid?.payments?.map(({ token, amount }) => [token, amount]),
    [["trx", 7_000_000n]],
  );
});

test("sees TRX that contracts send, to the sun, and nothing that failed or was no TRX", async (t) => {
  const { emulator, fake, adapter, address } = await openBehindFake(t);
  const stranger = newAccount().address;
  const call = await payUsdt(emulator, stranger, 1_000_000);
  await emulator.mine();
  const note = (text: string) => Buffer.from(text).toString("hex");
  const to = TronWeb.address.toHex(address).toLowerCase();
  const caller = TronWeb.address.toHex(stranger).toLowerCase();
  const move = (changes: object = {}) => ({
    ...{ hash: "ab".repeat(32), caller_address: caller, transferTo_address: to, note: note("call") },
    ...{ callValueInfo: [{ callValue: 5 }] },
    ...changes,
  });
  const inner = [
    move({ transferTo_address: caller, callValueInfo: [{ callValue: 9 }] }),
    move({ callValueInfo: [{ callValue: 7 }, { callValue: 3, tokenId: "1000001" }] }),
    move({ rejected: true }),
    move({ callValueInfo: [{}] }),
    move({ note: note("freezeBalanceV2ForEnergy") }),
    move({ note: note("suicide"), callValueInfo: [{ callValue: "MOST" }] }),
  ];
  const answer = (result: object) => {
    fake.twist = async ({ method }, pass) =>
      method === "wallet/gettransactioninfobyblocknum"
        ? ((await pass()) as readonly object[]).map((one) => ({
            ...one,
            internal_transactions: inner,
            ...result,
          }))
        : undefined;
  };
  const found = async () =>
    (await scanAll(adapter, address)).map(({ txHash, token, amount }) => [txHash, token, amount]);
  inner.pop();
  answer({});
  assert.deepEqual(await found(), [[call, "trx", 7n]]);
  inner.push(move({ note: note("suicide"), callValueInfo: [{ callValue: 8 }] }));
  const [first, second] = await scanAll(adapter, address);
  assert.deepEqual([first?.amount, second?.amount], [7n, 8n]);
  assert.deepEqual([displayPosition(first!.position), first!.position === second!.position], [null, false]);
  answer({ result: "FAILED" });
  assert.deepEqual(await found(), []);
  answer({});
  inner.push(move({ transferTo_address: caller, callValueInfo: [{ callValue: -1 }] }));
  assert.equal((await found()).length, 2, "one of others that cannot be read is left out");
  inner.push(move({ callValueInfo: [{ callValue: 1.5 }] }));
  await assert.rejects(found, isNodeError("malformed"));
});

test("refuses a node that does not tell what came of every transaction in a block with a call", async (t) => {
  const { emulator, fake, adapter, address } = await openBehindFake(t);
  const stranger = newAccount().address;
  await payUsdt(emulator, stranger, 1_000_000);
  await payTrx(emulator, stranger, 7);
  await emulator.mine();
  assert.deepEqual(await scanAll(adapter, address), []);
  const changes: Readonly<Record<string, (outcomes: readonly object[]) => unknown>> = {
    "an empty object, as for a block that it does not have": () => ({}),
    "an empty list": () => [],
    "without the first": (outcomes) => outcomes.slice(1),
    "without the last": (outcomes) => outcomes.slice(0, -1),
  };
  for (const [name, change] of Object.entries(changes)) {
    fake.twist = async ({ method }, pass) =>
      method === "wallet/gettransactioninfobyblocknum" ? change((await pass()) as object[]) : undefined;
    await assert.rejects(scanAll(adapter, address), isNodeError("inconsistent"), name);
  }
});

test("finds TRX in whole ranges: requests each block once, and results where it has transactions", async (t) => {
  const { emulator, fake, adapter, address } = await openBehindFake(t);
  const expected: string[] = [];
  for (let round = 0; round < 10; round++) {
    const pay = round % 3 === 0 ? payUsdt : payTrx;
    expected.push(await pay(emulator, address, 1_000_000 + round));
    await payTrx(emulator, newAccount().address, 7);
    await emulator.mine(1 + (round % 4) * 3);
  }
  const { height } = await adapter.blocks.fetchHead();
  fake.calls.length = 0;
  assert.deepEqual(
    (await scanAll(adapter, address)).map(({ txHash }) => txHash),
    expected,
  );
  const asked = (method: string) => fake.calls.filter((call) => call.method === method);
  const heights = asked("wallet/getblockbylimitnext").flatMap(({ params }) => {
    const { startNum, endNum } = params[0] as { startNum: number; endNum: number };
    return Array.from({ length: endNum - startNum }, (_, i) => startNum + i);
  });
  const whole = Array.from({ length: height }, (_, i) => i + 1);
  assert.deepEqual(
    heights.sort((a, b) => a - b),
    whole,
  );
  assert.equal(
    asked("wallet/gettransactioninfobyblocknum").length,
    10,
    "six blocks pay us in TRX, four with a call",
  );
});

test("ignores a TRX transfer that a node marks as failed, in its block or in its result", async (t) => {
  const { emulator, fake, adapter, address } = await openBehindFake(t);
  const txHash = await payTrx(emulator, address, 5);
  await emulator.mine();
  const ret = [{ contractRet: "OUT_OF_TIME" }];
  const blocks = changeBlock(({ transactions, ...block }) => ({
    ...block,
    ...(transactions && { transactions: transactions.map((one) => ({ ...one, ret })) }),
  }));
  fake.twist = async (call, pass) =>
    call.method === "wallet/gettransactionbyid" ? { ...((await pass()) as object), ret } : blocks(call, pass);
  assert.deepEqual(await scanAll(adapter, address), []);
  assert.deepEqual((await adapter.transactions!.fetchPayments(txHash))?.payments, []);
  fake.twist = async ({ method }, pass) =>
    method === "wallet/gettransactioninfobyblocknum"
      ? ((await pass()) as readonly object[]).map((one) => ({ ...one, result: "FAILED" }))
      : undefined;
  assert.deepEqual(await scanAll(adapter, address), []);
  fake.twist = null;
  assert.deepEqual(
    (await scanAll(adapter, address)).map((one) => one.txHash),
    [txHash],
  );
});

test("refuses valid blocks of another branch than the logs", async (t) => {
  const { emulator, fake, adapter, address } = await openBehindFake(t);
  const txHash = await payTrx(emulator, address, 5);
  await emulator.mine(3);
  const { height } = await adapter.blocks.fetchHead();
  const range = JSON.stringify({ startNum: 1, endNum: height + 1 });
  const asked = await fetch(`${emulator.url}/wallet/getblockbylimitnext`, { method: "POST", body: range });
  const { block: before } = (await asked.json()) as { block: readonly unknown[] };
  await emulator.reorg(3, { keep: true });
  fake.twist = ({ method, params }) => {
    if (method !== "wallet/getblockbylimitnext") return undefined;
    const { startNum, endNum } = params[0] as { startNum: number; endNum: number };
    return { block: before.slice(startNum - 1, endNum - 1) };
  };
  await assert.rejects(scanAll(adapter, address), isNodeError("inconsistent"));
  fake.twist = null;
  assert.deepEqual(
    (await scanAll(adapter, address)).map((one) => one.txHash),
    [txHash],
  );
});

test("reads a node whose two interfaces have two URLs", async (t) => {
  const { emulator, adapter } = await openReader(t);
  const { address } = adapter.addresses.derive(0);
  const [wallets, json] = [
    await openFakeNode(t, emulator.url),
    await openFakeNode(t, `${emulator.url}/jsonrpc`),
  ];
  await payUsdt(emulator, address, 1_000_000);
  await payTrx(emulator, address, 2_000_000);
  await emulator.mine();
  for (const walletUrl of [wallets.url, `${wallets.url}/wallet/`]) {
    const found = await scanAll(trc20Adapter({ url: json.url, usdt: emulator.usdt, walletUrl }), address);
    assert.deepEqual(found.map(({ token }) => token).sort(), ["trx", "usdt"]);
  }
  assert.ok(wallets.calls.length > 0 && wallets.calls.every(({ method }) => method.startsWith("wallet/")));
  assert.ok(json.calls.length > 0 && json.calls.every(({ method }) => method.startsWith("eth_")));
});

test("a node without /wallet reads USDT, and says what TRX needs", async (t) => {
  const { emulator, fake } = await openBehindFake(t);
  fake.answer = (response) => response.writeHead(405).end("<h1>Method Not Allowed</h1>");
  const source = { url: `${emulator.url}/jsonrpc`, usdt: emulator.usdt, walletUrl: fake.url };
  const { address } = trc20Adapter(source).addresses.derive(0);
  const adapter = trc20(source, { tokens: ["usdt"] }).find("test", "trc20")!;
  const usdt = await payUsdt(emulator, address, 1_000_000);
  const trx = await payTrx(emulator, address, 2_000_000);
  await emulator.mine();
  assert.deepEqual(
    (await scanAll(adapter, address)).map(({ token }) => token),
    ["usdt"],
  );
  assert.equal((await adapter.transactions!.fetchPayments(usdt))?.payments?.length, 1);
  assert.ok((await adapter.transactions!.fetchRecord(usdt))?.json.includes(usdt));
  const names = (error: Error) => isNodeError("refused")(error) && error.message.includes("…_WALLET_URL");
  await assert.rejects(adapter.transactions!.fetchPayments(trx), names);
  await assert.rejects(scanAll(trc20Adapter(source), address), names);
});

test("asks for the blocks above those that it read in place of the head, and believes no payment in them alone", async (t) => {
  const { emulator, fake, adapter, address } = await openBehindFake(t);
  await emulator.mine();
  const { height } = await adapter.blocks.fetchHead();
  await payTrx(emulator, address, 2_000_000);
  await emulator.mine(2);
  const options = { finality: false, readUpTo: height };
  const read = () =>
    adapter.nodes.withOne({ lastBlock: null }, async ({ blocks }) => {
      const head = await blocks.fetchHead(options);
      return blocks.scan({ from: height + 1, to: head.height }, owning(address));
    });
  fake.calls.length = 0;
  const { transfers } = await read();
  assert.deepEqual(
    transfers.map(({ amount }) => amount),
    [2_000_000n],
  );
  const methods = fake.calls.map(({ method }) => method);
  assert.equal(methods.filter((method) => method === "wallet/getblockbylimitnext").length, 1);
  // The JSON-RPC has another block there.
  fake.twist = async ({ method }, pass) => {
    if (method !== "eth_getBlockByNumber") return undefined;
    return { ...((await pass()) as object), hash: `0x${"ab".repeat(32)}` };
  };
  await assert.rejects(read(), /two interfaces/);
});

test("asks for the head where no block is above those that it read", async (t) => {
  const { emulator, adapter } = await openBehindFake(t);
  await emulator.mine();
  const { height, hash } = await adapter.blocks.fetchHead();
  const head = await adapter.blocks.fetchHead({ finality: false, readUpTo: height });
  assert.deepEqual([head.height, head.hash], [height, hash]);
});
