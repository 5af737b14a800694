import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  BITCOIN_REGTEST,
  LITECOIN_REGTEST,
  nobodyOf,
  openBitcoin,
  startBitcoind,
  startLitecoind,
} from "#tests/support/bitcoind.ts";

const parent = mkdtempSync(join(tmpdir(), "bitcoind-test-"));
after(() => rmSync(parent, { recursive: true, force: true }));

function newFolder(): string {
  return mkdtempSync(join(parent, "node-"));
}

for (const [name, start, chain] of [
  ["bitcoind", startBitcoind, BITCOIN_REGTEST],
  ["litecoind", startLitecoind, LITECOIN_REGTEST],
] as const) {
  test(`a ${name} with a folder keeps chain, coins and waiting payments over SIGKILL`, async () => {
    const datadir = newFolder();
    const nobody = nobodyOf(chain);
    const first = await start({ datadir });
    const payer = openBitcoin(first.url, chain);
    assert.equal(await payer.call("getbalance"), 50);
    await payer.sendTo(nobody, "1");
    await payer.mine(3);
    const waiting = await payer.sendTo(nobody, "2");
    const tip = await payer.tip();
    await first.kill();

    const second = await start({ datadir });
    const again = openBitcoin(second.url, chain);
    assert.equal(await again.tip(), tip);
    assert.deepEqual(await again.call("getrawmempool"), [waiting]);
    await again.mine();
    await second.stop();

    // Debian's litecoind was built without ZMQ.
    const zmq = name === "bitcoind";
    const third = await start({ datadir, zmq });
    assert.equal(await openBitcoin(third.url, chain).height(), 105);
    assert.equal(third.zmqUrl?.startsWith("tcp:") ?? false, zmq);
    await third.kill();
  });
}

test("uses a node again whose parent was killed, with its waiting payments", async () => {
  const datadir = newFolder();
  const code = `import { startBitcoind, openBitcoin, NOBODY } from "#tests/support/bitcoind.ts";
    const node = await startBitcoind({ datadir: ${JSON.stringify(datadir)} });
    await openBitcoin(node.url).sendTo(NOBODY, "1");
    console.log(node.pid); setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pid = Number(await new Promise((resolve) => owner.stdout.once("data", resolve)));
  owner.kill("SIGKILL");
  await new Promise((resolve) => owner.once("exit", resolve));

  const node = await startBitcoind({ datadir });
  assert.equal(node.pid, pid);
  assert.equal((await openBitcoin(node.url).call<string[]>("getrawmempool")).length, 1);
  await node.kill();
  assert.throws(() => process.kill(pid, 0));
});

test("a node without a folder leaves no files", async () => {
  const node = await startBitcoind();
  const { pid } = node;
  await node.stop();
  assert.throws(() => process.kill(pid, 0));
});
