import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { BITCOIND, LITECOIND } from "#lib/dev-chains/core-programs.ts";
import { findCoreNode } from "#lib/dev-chains/find-core-node.ts";

test("finds a node by its variable, the PATH, then the cache, and says how to install one otherwise", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "find-node-"));
  t.after(() => rmSync(folder, { recursive: true }));
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
