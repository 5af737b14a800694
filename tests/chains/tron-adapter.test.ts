import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { TronWeb } from "tronweb";
import { type AddressFilter, type NetworkAdapter, NodeError } from "#lib/chains/network.ts";
import { displayPosition, NO_POSITION } from "#lib/chains/transfers.ts";
import type { TronEmulatorOptions } from "#lib/demo/tron-emulator/start-tron-emulator.ts";
import { changeBlock } from "#tests/chains/contract/drivers/tron-answers.ts";
import { startFakeNode, type Twist } from "#tests/support/fake-node.ts";
import {
  jsonRpc,
  newAccount,
  payMany,
  payTrc10,
  payTrx,
  payUsdt,
  startTestTron,
  trc20,
  trc20Adapter,
  USDT,
  wallet,
} from "#tests/support/tron.ts";
import { waitingTransfers } from "#tests/support/waiting-transfers.ts";

async function open(t: TestContext, options: TronEmulatorOptions = {}) {
  const emulator = await startTestTron({ ...options });
  t.after(() => emulator.stop());
  const adapter = trc20Adapter(emulator);
  return { emulator, adapter };
}

const only =
  (...mine: string[]): AddressFilter =>
  async (asked) =>
    new Set(asked.filter((address) => mine.includes(address)));

async function scanAll(adapter: NetworkAdapter, ...mine: string[]) {
  const { height } = await adapter.fetchHead();
  return (await adapter.scanBlocks({ from: 1, to: height }, only(...mine))).transfers;
}

const fails = (work: () => Promise<unknown>, kind: NodeError["kind"]) =>
  assert.rejects(work, (error) => error instanceof NodeError && error.kind === kind);

/** The adapter asks through a front that can change answers. */
async function openBehindFake(t: TestContext) {
  const { emulator } = await open(t);
  const fake = await startFakeNode(`${emulator.url}/jsonrpc`);
  t.after(fake.close);
  const adapter = trc20Adapter({ url: fake.url, usdt: emulator.usdt });
  return { emulator, fake, adapter, address: adapter.deriveAddress(0).address };
}

test("does not take a log for a payment whose transaction failed", async (t) => {
  const { emulator, fake, adapter, address } = await openBehindFake(t);
  await payUsdt(emulator, address, 1_000_000);
  await emulator.mine();
  fake.twist = async ({ method }, pass) =>
    method === "eth_getTransactionReceipt" ? { ...((await pass()) as object), status: "0x0" } : undefined;
  assert.deepEqual(await scanAll(adapter, address), []);
  fake.twist = ({ method }) => (method === "eth_getTransactionReceipt" ? null : undefined);
  await fails(() => scanAll(adapter, address), "inconsistent");
  fake.twist = null;
  assert.equal((await scanAll(adapter, address)).length, 1);
});

test("finds every payment, whatever an index of logs lacks, also after one that it has", async (t) => {
  const { emulator, fake, adapter, address } = await openBehindFake(t);
  const first = (await adapter.fetchHead()).height + 1;
  const sent: string[] = [];
  for (let i = 0; i < 8; i++) {
    sent.push(await payUsdt(emulator, address, 1_000_000 + i));
    await emulator.mine(5);
  }
  const { height: to } = await adapter.fetchHead();
  const faults: Readonly<Record<string, Twist | null>> = {
    none: null,
    "off, and then on: without a filter there are logs (tests/chains/recorded/java-tron-log-index-off.json)":
      ({ method, params }) =>
        method === "eth_getLogs" && (params[0] as object) && "topics" in (params[0] as object)
          ? []
          : undefined,
    "no logs at all": ({ method }) => (method === "eth_getLogs" ? [] : undefined),
    "a gap": async ({ method, params }, pass) => {
      if (method !== "eth_getLogs" || !("topics" in (params[0] as object))) return undefined;
      const logs = (await pass()) as { blockNumber: string }[];
      return logs.filter(
        (log) => Number(log.blockNumber) < first + 9 || Number(log.blockNumber) > first + 31,
      );
    },
  };
  for (const [name, twist] of Object.entries(faults)) {
    fake.twist = twist;
    const { transfers } = await adapter.scanBlocks({ from: first, to }, only(address));
    assert.deepEqual(
      transfers.map(({ txHash }) => txHash),
      sent,
      name,
    );
  }
  const { height } = await adapter.fetchHead();
  fake.calls.length = 0;
  assert.deepEqual((await adapter.scanBlocks({ from: height, to: height }, only(address))).transfers, []);
  const asked = fake.calls.filter(({ method }) => method === "eth_getLogs").length;
  assert.equal(asked, 1, "a block without calls has no logs");
});

test("refuses a node whose logs and receipts both lack what its block pays", async (t) => {
  const { emulator, fake, adapter, address } = await openBehindFake(t);
  await payUsdt(emulator, address, 1_000_000);
  await emulator.mine();
  fake.twist = ({ method }) => {
    if (method === "eth_getLogs") return [];
    return method === "eth_getTransactionReceipt" ? null : undefined;
  };
  await fails(() => scanAll(adapter, address), "inconsistent");
});

test("sees a payment by a stock tronweb with its block, final once the block is solidified", async (t) => {
  const { emulator, adapter } = await open(t);
  await adapter.checkIdentity();
  const { address } = adapter.deriveAddress(3);
  const txHash = await payUsdt(emulator, address, 2_500_000);
  assert.deepEqual(await adapter.fetchTransactionStatus(txHash), { kind: "pending" });
  assert.deepEqual(await waitingTransfers(adapter, only(address)), []);
  await emulator.mine();

  const head = await adapter.fetchHead();
  const [transfer, ...others] = await scanAll(adapter, address);
  assert.deepEqual(others, []);
  const block = await wallet(emulator).trx.getBlockByNumber(head.height);
  assert.deepEqual(transfer, {
    txHash,
    position: 0,
    token: "usdt",
    address,
    sender: emulator.faucet.address,
    amount: (5n * USDT) / 2n,
    block: {
      height: head.height,
      hash: `0x${block.blockID}`,
      time: new Date(block.block_header.raw_data.timestamp),
    },
    spends: [],
    unmatchedReason: null,
  });
  assert.equal(head.hash, await adapter.fetchBlockHash(head.height));
  const confirmed = { kind: "confirmed", blockHeight: head.height, blockHash: head.hash };
  for (const written of [txHash, `0x${txHash}`, txHash.toUpperCase()]) {
    assert.deepEqual(await adapter.fetchTransactionStatus(written), confirmed);
  }
  assert.equal(head.finalizedHeight, head.height - 2);
  await emulator.mine(2);
  assert.equal((await adapter.fetchHead()).finalizedHeight, head.height);
  assert.equal(await adapter.fetchBlockHash(1_000), null);
});

test("sees TRX by a stock tronweb in addition to the token, to the sun, and never a TRC-10 transfer", async (t) => {
  const { emulator, adapter } = await open(t);
  const { address } = adapter.deriveAddress(3);
  const txHash = await payTrx(emulator, address, 12_345_678);
  const named = await payTrc10(emulator, address, 12_345_678);
  const other = await payUsdt(emulator, address, 1);
  await payTrx(emulator, newAccount().address, 5);
  await emulator.mine();
  const { height, hash } = await adapter.fetchHead();
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
  assert.deepEqual(await adapter.fetchTransactionStatus(txHash), {
    kind: "confirmed",
    blockHeight: height,
    blockHash: hash,
  });

  const paid = { position: NO_POSITION, token: "trx", address, amount: 12_345_678n };
  assert.deepEqual((await adapter.fetchPayments!(txHash))?.payments, [paid]);
  const { result } = await jsonRpc(emulator, "eth_getTransactionByHash", [`0x${named}`]);
  assert.equal(Number((result as { value: string }).value), 12_345_678, "the JSON-RPC reports it as TRX");
  assert.deepEqual((await adapter.fetchPayments!(named))?.payments, []);
});

test("asks nothing of the HTTP API for watching when TRX is not received; withdrawals in it are still read", async (t) => {
  const { emulator, fake, address } = await openBehindFake(t);
  const adapter = trc20({ url: fake.url, usdt: emulator.usdt }, { tokens: ["usdt"] }).find("test", "trc20")!;
  const trx = await payTrx(emulator, address, 7_000_000);
  const usdt = await payUsdt(emulator, address, 1_000_000);
  await emulator.mine(3);
  await adapter.checkIdentity();
  assert.deepEqual(
    (await scanAll(adapter, address)).map(({ txHash, token }) => [txHash, token]),
    [[usdt, "usdt"]],
  );
  const neededFor = (await adapter.probe({ all: false })).flatMap(({ checks }) =>
    checks.map((one) => one.neededFor),
  );
  assert.ok(neededFor.includes("payments in tokens") && !neededFor.includes("payments in trx"));
  const asked = fake.calls.map(({ method }) => method).filter((method) => /^wallet.*block/.test(method));
  assert.deepEqual(asked, []);
  const paid = await adapter.fetchPayments!(trx);
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
  await fails(found, "malformed");
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
    await assert.rejects(
      () => scanAll(adapter, address),
      (error) => error instanceof NodeError && error.kind === "inconsistent",
      name,
    );
  }
});

test("finds TRX in whole ranges: requests each block once, and results where it pays us or calls a contract", async (t) => {
  const { emulator, fake, adapter, address } = await openBehindFake(t);
  const expected: string[] = [];
  for (let round = 0; round < 10; round++) {
    const pay = round % 3 === 0 ? payUsdt : payTrx;
    expected.push(await pay(emulator, address, 1_000_000 + round));
    await payTrx(emulator, newAccount().address, 7);
    await emulator.mine(1 + (round % 4) * 3);
  }
  const { height } = await adapter.fetchHead();
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
  assert.deepEqual((await adapter.fetchPayments!(txHash))?.payments, []);
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
  const { height } = await adapter.fetchHead();
  const range = JSON.stringify({ startNum: 1, endNum: height + 1 });
  const asked = await fetch(`${emulator.url}/wallet/getblockbylimitnext`, { method: "POST", body: range });
  const { block: before } = (await asked.json()) as { block: readonly unknown[] };
  await emulator.reorg(3, { keep: true });
  fake.twist = ({ method, params }) => {
    if (method !== "wallet/getblockbylimitnext") return undefined;
    const { startNum, endNum } = params[0] as { startNum: number; endNum: number };
    return { block: before.slice(startNum - 1, endNum - 1) };
  };
  await fails(() => scanAll(adapter, address), "inconsistent");
  fake.twist = null;
  assert.deepEqual(
    (await scanAll(adapter, address)).map((one) => one.txHash),
    [txHash],
  );
});

test("halves a range or an answer that is too large for the node until it answers, and misses nothing", async (t) => {
  const { emulator, adapter } = await open(t, { limits: { maxBlockRange: 10, maxResults: 6 } });
  const { address } = adapter.deriveAddress(0);
  let paid = 0;
  for (let round = 0; round < 12; round++) {
    const payees = Array<string>(1 + (round % 6)).fill(address);
    await payMany(emulator, payees, 1_000_000);
    paid += payees.length;
    await emulator.mine(1 + (round % 3) * 4);
  }
  const transfers = await scanAll(adapter, address);
  assert.equal(transfers.length, paid);
  assert.equal(new Set(transfers.map(({ txHash, position }) => `${txHash}:${position}`)).size, paid);
});

test("refuses a node of another chain, and a token with other decimals", async (t) => {
  const shasta = await open(t, { chainId: 0x94a9059e });
  await fails(() => shasta.adapter.checkIdentity(), "wrong_chain");
  const { emulator } = await open(t);
  const other = await emulator.deployOtherToken(18);
  await fails(() => trc20Adapter({ url: emulator.url, usdt: other }).checkIdentity(), "wrong_chain");
  const none = newAccount().address;
  await assert.rejects(trc20Adapter({ url: emulator.url, usdt: none }).checkIdentity(), NodeError);
});

test("reads a node whose two interfaces have two URLs", async (t) => {
  const { emulator, adapter } = await open(t);
  const { address } = adapter.deriveAddress(0);
  const [wallets, json] = await Promise.all([
    startFakeNode(emulator.url),
    startFakeNode(`${emulator.url}/jsonrpc`),
  ]);
  t.after(() => Promise.all([wallets.close(), json.close()]));
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
  const { address } = trc20Adapter(source).deriveAddress(0);
  const adapter = trc20(source, { tokens: ["usdt"] }).find("test", "trc20")!;
  const usdt = await payUsdt(emulator, address, 1_000_000);
  const trx = await payTrx(emulator, address, 2_000_000);
  await emulator.mine();
  assert.deepEqual(
    (await scanAll(adapter, address)).map(({ token }) => token),
    ["usdt"],
  );
  assert.equal((await adapter.fetchPayments!(usdt))?.payments?.length, 1);
  assert.ok((await adapter.fetchTransactionRecord!(usdt))?.json.includes(usdt));
  const names = (error: unknown) =>
    error instanceof NodeError && error.kind === "refused" && error.message.includes("…_WALLET_URL");
  await assert.rejects(adapter.fetchPayments!(trx), names);
  await assert.rejects(scanAll(trc20Adapter(source), address), names);
});

test("accepts a node URL that points at its JSON-RPC", async (t) => {
  const { emulator } = await open(t);
  for (const path of ["/", "/jsonrpc", "/jsonrpc/"]) {
    const adapter = trc20Adapter({ url: `${emulator.url}${path}`, usdt: emulator.usdt });
    await adapter.checkIdentity();
  }
});

test("says what a payer without staked TRX pays for a transfer of USDT", async (t) => {
  const { adapter } = await open(t);
  // 130,285 energy at the emulator's 100 sun, and 345 bytes at 1,000 sun.
  assert.deepEqual(await adapter.fetchTransferFee?.(), { coin: "trx", fee: 13_373_500n });
});
