/** An idle TRON network with TRX: results wait, and what contracts sent is found within ten minutes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TronWeb } from "tronweb";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { bookOf } from "#tests/support/solana.ts";
import { newAccount, payTrx, payUsdt } from "#tests/support/tron.ts";
import { openBehindFake } from "./tron-reader.ts";

const RESULTS = "wallet/gettransactioninfobyblocknum";
const BLOCKS = 40;

test("results wait while no payment is expected, and coins that a contract sent are found by what the address holds", async (t) => {
  const { emulator, fake, adapter, address } = await openBehindFake(t);
  adapter.addressWatch?.watch(bookOf(() => [address]));
  const stranger = newAccount().address;
  let sentByContract = 0;
  let paidAt = 0;
  const hex = (text: string) => TronWeb.address.toHex(text).toLowerCase();
  const inner = {
    ...{ hash: "ab".repeat(32), caller_address: hex(stranger), transferTo_address: hex(address) },
    ...{ note: Buffer.from("call").toString("hex"), callValueInfo: [{ callValue: 7 }] },
  };
  fake.twist = async ({ method, params }, pass) => {
    if (method === "eth_getBalance")
      return `0x${(BigInt(String(await pass())) + BigInt(sentByContract)).toString(16)}`;
    if (method !== RESULTS || paidAt === 0 || Object(params[0]).num !== paidAt) return undefined;
    return ((await pass()) as readonly object[]).map((one) => ({ ...one, internal_transactions: [inner] }));
  };
  let { height: cursor } = await adapter.blocks.fetchHead();
  const pass = async (isIdle: boolean) => {
    await payUsdt(emulator, stranger, 1_000_000);
    await emulator.mine(isIdle ? BLOCKS : 2);
    fake.calls.length = 0;
    const found = await adapter.nodes.withOne({ lastBlock: null }, async ({ blocks, late }) => {
      const { height } = await blocks.fetchHead();
      const scan = await blocks.scan({ from: cursor + 1, to: height }, owning(address), { isIdle });
      cursor = height;
      const later = await late!.list(height, owning(address));
      later.done();
      return [...scan.transfers, ...later.transfers];
    });
    const results = fake.calls.filter(({ method }) => method === RESULTS).length;
    return { amounts: found.map(({ amount }) => amount), results };
  };
  for (let i = 0; i < 3; i++) await pass(true);
  assert.deepEqual(await pass(true), { amounts: [], results: 0 });
  // A payment by a transaction itself is found at once, and proven by its result.
  await payTrx(emulator, address, 5);
  assert.deepEqual(await pass(true), { amounts: [5n], results: 1 });
  sentByContract = 7;
  paidAt = cursor + 1;
  assert.deepEqual((await pass(true)).amounts, []);
  const late: bigint[] = [];
  for (let i = 0; i < 16; i++) late.push(...(await pass(true)).amounts);
  assert.deepEqual([...new Set(late)].sort(), [5n, 7n]);
});
