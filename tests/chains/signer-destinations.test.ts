/** A destination in the database that is longer than an address moves no other amount than was counted. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { encodeFunctionData } from "viem";
import { encodeTransfer } from "#lib/chains/evm/sending.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { mine, rpc, USDT_ADDRESS } from "#tests/support/anvil.ts";
import { compileSolidity } from "#tests/support/compile-sweeper.ts";
import { signerWorld } from "#tests/support/signer-world.ts";
import { USDT } from "#tests/support/withdrawals.ts";

const THIEF = "0x00000000000000000000000000000000deadbee1";
const ALL = 499n * USDT;
const word = (value: bigint) => value.toString(16).padStart(64, "0");
/** The first word of a call with an amount of its own, which pushes the withdrawal's amount behind it. */
const PLANTED = `0x${"1".padEnd(24, "0")}${THIEF.slice(2)}${word(ALL)}`;

test("an address with an amount behind it is held, also where the token would accept it", async (t) => {
  const w = await signerWorld(t);
  const old = compileSolidity(readFileSync(join(import.meta.dirname, "../support/OldToken.sol"), "utf8"));
  await rpc(w.url, "anvil_setCode", [USDT_ADDRESS, old.runtime]);
  const mint = encodeFunctionData({ abi: old.abi, functionName: "mint", args: [w.hot, 500n * USDT] });
  await rpc(w.url, "eth_sendTransaction", [{ from: w.faucet, to: USDT_ADDRESS, data: mint }]);
  await mine(w.url);
  const stolen = `0xa9059cbb${PLANTED.slice(2)}${word(USDT)}`;
  const call = { from: w.hot, to: USDT_ADDRESS, data: stolen };
  assert.equal(BigInt(String(await rpc(w.url, "eth_call", [call, "latest"]))), 1n, "the token accepts it");
  const { id, refid } = await w.create(USDT);
  await w.db.update(withdrawals).set({ toAddress: PLANTED }).where(eq(withdrawals.id, id));
  const honest = await w.create(USDT);
  const signer = w.start();
  await w.step(signer);
  await mine(w.url);
  assert.equal(signer.held.get(refid), "destination_unsafe");
  assert.equal(await w.balance(THIEF), 0n);
  assert.equal((await w.row(honest.id)).status, "processing");
  assert.equal(await w.balance(w.hot), ALL);
  const contract = USDT_ADDRESS.toLowerCase();
  assert.throws(() => encodeTransfer({ to: PLANTED, value: 1n, contract }), RangeError);
  assert.throws(() => encodeTransfer({ to: THIEF, value: -1n, contract }), RangeError);
});
