/** The tests' own Electrum server answers as e-x does, before the same node. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { hashScript } from "#lib/chains/electrum/address-book.ts";
import { addressOf, BITCOIN_REGTEST, openBitcoin, scriptOf, startBitcoind } from "#tests/support/bitcoind.ts";
import { openTestClient } from "#tests/support/electrum-client.ts";
import { startOwnServer } from "#tests/support/electrum-world.ts";
import { until } from "#tests/support/until.ts";
import { startEx } from "./electrum-nodes/e-x-server.ts";

const { NODES_E_X: program } = process.env;

if (program !== undefined) {
  test("the tests' own server answers as e-x does", async (t) => {
    const node = await startBitcoind({ txindex: true });
    const bitcoin = openBitcoin(node.url);
    await bitcoin.mine(100);
    // An error costs 100 units: it would soon answer slowly.
    const unlimited = { COST_SOFT_LIMIT: "0", COST_HARD_LIMIT: "0" };
    const real = await startEx(program, node.url, "bitcoin", unlimited);
    const own = await startOwnServer(node.url);
    const clients = await Promise.all(
      [real, own].flatMap(({ url }) =>
        ["1.4", ["1.4", "1.6"]].map((version) => openTestClient(url, version)),
      ),
    );
    t.after(async () => {
      for (const client of clients) client.close();
      await Promise.all([real.close(), own.close()]);
      await node.stop();
    });
    const [oldReal, newReal, oldOwn, newOwn] = clients;
    const heard = [newReal!, newOwn!].map((client) => client.notifications);
    const used = addressOf(BITCOIN_REGTEST, randomBytes(20));
    const script = hashScript(scriptOf(used));
    const unused = hashScript(scriptOf(addressOf(BITCOIN_REGTEST, randomBytes(20))));
    const show = (answer: unknown) => JSON.parse(JSON.stringify(answer).replaceAll(/DaemonError\(.*\)/g, ""));
    const same = async (method: string, ...params: unknown[]) => {
      for (const [a, b] of [[oldReal, oldOwn] as const, [newReal, newOwn] as const]) {
        const [theirs, ours] = await Promise.all([a!.ask(method, params), b!.ask(method, params)]);
        assert.deepEqual(show(ours), show(theirs), `${method} ${JSON.stringify(params)}`);
      }
    };
    /** Until both servers have read the node. */
    const bothShow = async (txids: readonly string[]) => {
      const header = await bitcoin.call("getblockheader", await bitcoin.tip(), false);
      for (const client of [newReal!, newOwn!]) {
        let shown: unknown = null;
        await until(
          "the server to have read its node",
          async () => {
            const { hex } = (await client.call("blockchain.headers.subscribe", [])) as { hex: string };
            const history = (await client.call("blockchain.scripthash.get_history", [script])) as {
              tx_hash: string;
            }[];
            shown = [hex, history];
            return hex === header && txids.every((id) => history.some(({ tx_hash }) => tx_hash === id));
          },
          { withinMs: 40_000, everyMs: 500 },
        ).catch((error: Error) => {
          throw new Error(`${error.message}: ${JSON.stringify([header, txids, shown, client === newOwn])}`);
        });
      }
    };
    const compare = async (txids: readonly string[]) => {
      await bothShow(txids);
      const height = await bitcoin.height();
      await same("blockchain.headers.subscribe");
      for (const one of [script, unused]) {
        await same("blockchain.scripthash.get_history", one);
        await same("blockchain.scripthash.subscribe", one);
      }
      await same("blockchain.block.headers", height - 1, 5);
      await same("blockchain.block.headers", height + 1, 5);
      await same("blockchain.block.header", height);
      await same("blockchain.block.header", height + 1);
      for (const txid of txids) {
        await same("blockchain.transaction.get", txid);
        await same("blockchain.transaction.get", txid, true);
        for (const at of [height, height - 1]) await same("blockchain.transaction.get_merkle", txid, at);
      }
    };
    await compare([]);
    for (const [method, ...params] of [
      ["server.ping"],
      ["server.version", "again", "1.4"],
      ["blockchain.nothing"],
      ["blockchain.relayfee"],
      ["mempool.get_info"],
      ["blockchain.estimatefee", 2],
      ["blockchain.scripthash.subscribe", "zz"],
      ["blockchain.scripthash.get_history", "zz"],
      ["blockchain.transaction.get", "ab".repeat(32)],
      ["blockchain.transaction.get_merkle", "ab".repeat(32), 1],
      ["blockchain.transaction.id_from_pos", 1, 0],
      ["blockchain.transaction.id_from_pos", 1, 7],
    ] as const) {
      await same(method, ...params);
    }
    const first = await bitcoin.sendTo(used, "0.1");
    // It spends the change of the first.
    const second = await bitcoin.sendTo(used, "49.5");
    const third = await bitcoin.sendTo(used, "0.2");
    await compare([first, second, third]);
    await bitcoin.mine();
    await compare([first, second, third]);
    const fourth = await bitcoin.sendTo(used, "0.3");
    await compare([first, second, third, fourth]);
    await bitcoin.reorg(1, "without");
    // The node may drop a transaction that spends what the replaced block held.
    const again = await bitcoin.call<string[]>("getrawmempool");
    assert.ok(again.length >= 3);
    await compare(again);
    await bitcoin.mine(2);
    await compare(again);
    /** A branch that is no longer than the one they show is not shown. */
    const before = await newReal!.call("blockchain.headers.subscribe", []);
    await bitcoin.invalidate(await bitcoin.tip());
    await bitcoin.mine(1, await bitcoin.call("getnewaddress"));
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    for (const client of [newReal!, newOwn!])
      assert.deepEqual(await client.call("blockchain.headers.subscribe", []), before);
    await bitcoin.mine();
    await compare(again);
    // Only the last one: how often a status is announced depends on when a server looks.
    const [theirs, ours] = heard.map((all) =>
      all.filter(([method]) => method === "blockchain.headers.subscribe"),
    );
    assert.deepEqual(ours!.at(-1), theirs!.at(-1));
  });
}
