import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  balanceOf,
  newAccount,
  payUsdt,
  post,
  spawnTronEmulator,
  startTronEmulator,
  wallet,
} from "#tests/support/tron.ts";
import { until } from "#tests/support/until.ts";

test("SIGKILL of the emulator keeps its blocks and its waiting transactions", async (t) => {
  const statePath = join(mkdtempSync(join(tmpdir(), "tron-")), "trc20.json");
  const { address } = newAccount();
  const first = await spawnTronEmulator(statePath);
  const mined = await payUsdt(first, address, 5);
  await post(`${first.url}/emulator/mine`, { blocks: 3 });
  const head = await wallet(first).trx.getCurrentBlock();
  const waiting = await payUsdt(first, address, 7);
  first.process.kill("SIGKILL");
  await until("its end", () => first.process.signalCode !== null);

  const second = await startTronEmulator({ statePath, automine: false, solidifiedLag: 2 });
  t.after(() => second.stop());
  assert.equal(await second.enginePid(), first.enginePid, "the anvil behind lived on, and was taken over");
  assert.equal((await wallet(second).trx.getCurrentBlock()).blockID, head.blockID);
  assert.equal((await wallet(second).trx.getUnconfirmedTransactionInfo(mined)).id, mined);
  assert.deepEqual(await wallet(second).trx.getUnconfirmedTransactionInfo(waiting), {});
  assert.equal(await balanceOf(second, address), 12n, "what waits counts");
  await second.mine();
  assert.equal((await wallet(second).trx.getUnconfirmedTransactionInfo(waiting)).id, waiting);
  assert.equal(await balanceOf(second, address), 12n);
});

test("SIGKILL of the anvil behind it, and of both, loses no transaction", async (t) => {
  const statePath = join(mkdtempSync(join(tmpdir(), "tron-")), "trc20.json");
  const { address } = newAccount();
  const first = await startTronEmulator({ statePath, automine: false });
  t.after(() => first.stop());
  await payUsdt(first, address, 5);
  await first.mine();
  const block = await wallet(first).trx.getCurrentBlock();
  await payUsdt(first, address, 7);
  process.kill(await first.enginePid(), "SIGKILL");
  await first.mine();
  assert.equal(await balanceOf(first, address), 12n);
  const { number } = block.block_header.raw_data;
  assert.equal((await wallet(first).trx.getBlockByNumber(number)).blockID, block.blockID);
  await first.stop();

  const child = await spawnTronEmulator(statePath);
  const last = await payUsdt(child, address, 9);
  child.process.kill("SIGKILL");
  process.kill(child.enginePid, "SIGKILL");
  await until("its end", () => child.process.signalCode !== null);
  const third = await startTronEmulator({ statePath, automine: false });
  t.after(() => third.stop());
  await third.mine();
  assert.equal((await wallet(third).trx.getUnconfirmedTransactionInfo(last)).id, last);
  assert.equal(await balanceOf(third, address), 21n);
});
