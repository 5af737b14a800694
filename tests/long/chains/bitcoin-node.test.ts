import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { BITCOIND, LITECOIND } from "#lib/demo/core-programs.ts";
import { findCoreNode } from "#lib/demo/find-core-node.ts";
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
    await third.stop();
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
  await node.stop();
  assert.throws(() => process.kill(pid, 0));
});

test("a node without a folder leaves no files", async () => {
  const node = await startBitcoind();
  const { pid } = node;
  await node.stop();
  assert.throws(() => process.kill(pid, 0));
});

test("finds a node by its variable, the PATH, then the cache, and says how to install one otherwise", async () => {
  const folder = newFolder();
  const make = (...parts: string[]) => {
    const path = join(folder, ...parts);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, "#!/bin/sh\n");
    chmodSync(path, 0o755);
    return path;
  };
  const env = { PATH: join(folder, "bin"), PAYLINK_CACHE_DIR: join(folder, "cache") };

  const none = await findCoreNode(BITCOIND, env);
  assert.deepEqual(none, {
    ok: false,
    problem:
      "there is no bitcoind on this machine; to add it, install Bitcoin Core and put bitcoind on the PATH, or set BITCOIND to where it is",
  });
  const cached = make("cache", "bitcoind", "bitcoind");
  assert.deepEqual(await findCoreNode(BITCOIND, env), { ok: true, path: cached });
  const onPath = make("bin", "bitcoind");
  assert.deepEqual(await findCoreNode(BITCOIND, env), { ok: true, path: onPath });
  const named = make("elsewhere", "bitcoind");
  assert.deepEqual(await findCoreNode(BITCOIND, { ...env, BITCOIND: named }), { ok: true, path: named });
  const wrong = await findCoreNode(BITCOIND, { ...env, BITCOIND: join(folder, "missing") });
  assert.equal(wrong.ok, false);
  assert.equal(existsSync(join(folder, "missing")), false);
  assert.deepEqual(await findCoreNode(LITECOIND, { ...env, BITCOIND: named }), {
    ok: false,
    problem:
      "there is no litecoind on this machine; to add it, install Litecoin Core and put litecoind on the PATH, or set LITECOIND to where it is",
  });
});
