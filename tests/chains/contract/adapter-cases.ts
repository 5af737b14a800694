import assert from "node:assert/strict";
import { openNetworks } from "#lib/chains/registry.ts";
import { type ChainTransfer, NO_POSITION } from "#lib/chains/transfers.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { isNodeError } from "#tests/support/node-errors.ts";
import { waitingTransfers } from "#tests/support/waiting-transfers.ts";
import { log } from "#tests/support/watched-network.ts";
import { type Case, hashes, scan, scanTip, unknownHash } from "./bench.ts";
import { accountKey, type ContractDriver } from "./drivers/driver.ts";
import { NODE_CASES } from "./node-cases.ts";

const ADDRESS_CASES: readonly Case[] = [
  [
    "derives the addresses that wallets show for the same words",
    async ({ driver, adapter }) => {
      const { network, addresses } = driver;
      const key = addresses.account ?? accountKey(`m/${adapter.data.accountPath}`);
      const off = { rpcUrls: ["http://127.0.0.1:9"], zmqUrl: null, chainId: null, contracts: {} };
      const registry = openNetworks([{ env: "live", network, accountKey: key, ...off }], { log });
      const live = registry.find("live", network)!;
      for (const index of [0, 1, 2, 19, 1_000_000]) {
        const { address, path } = live.addresses.derive(index);
        assert.equal(path, addresses.path?.(index) ?? `m/${adapter.data.accountPath}/0/${index}`);
        assert.equal(live.addresses.display(address), addresses.walletAddress(path));
        assert.equal(live.addresses.canonicalize(live.addresses.display(address)), address);
      }
      for (const [index, address] of addresses.vectors.entries()) {
        assert.equal(live.addresses.display(live.addresses.derive(index).address), address);
      }
    },
    "derive addresses from a key",
  ],
  [
    "canonicalizes every spelling of an address and rejects another network's",
    async ({ driver, adapter, newAddress }) => {
      const shown = newAddress();
      const canonical = adapter.addresses.canonicalize(shown)!;
      assert.equal(adapter.addresses.display(canonical), shown);
      for (const text of driver.addresses.spellings(shown)) {
        assert.equal(adapter.addresses.canonicalize(text), canonical, text);
      }
      for (const text of driver.addresses.others)
        assert.equal(adapter.addresses.canonicalize(text), null, text);
    },
  ],
  [
    "builds a URI from which a wallet reads the address and the exact amount",
    async ({ driver, adapter, newAddress }) => {
      const { token, smallest, contract, chainId } = driver;
      const shown = newAddress();
      const address = adapter.addresses.canonicalize(shown)!;
      for (const amount of [smallest, 100_000n * smallest, 2_100_000_000_000_001n * smallest]) {
        const read = driver.readUri(adapter.addresses.buildPaymentUri({ address, token, amount }));
        const named = read.amount === null ? {} : { amount };
        assert.deepEqual(read, { amount: null, ...named, address: shown, contract, chainId });
      }
      const other = token === "btc" ? "usdt" : "btc";
      assert.throws(() => adapter.addresses.buildPaymentUri({ address, token: other, amount: 1n }));
    },
  ],
];

const READING_CASES: readonly Case[] = [
  [
    "returns the node's record of a transaction in a block, and null for an unknown one",
    async ({ driver, adapter, newAddress }) => {
      const txHash = await driver.send(newAddress(), 1_000n * driver.smallest);
      await driver.mine();
      const { json } = (await adapter.transactions!.fetchRecord(txHash))!;
      assert.ok(json.includes(txHash), json);
      assert.equal(typeof JSON.parse(json), "object");
      assert.equal(await adapter.transactions!.fetchRecord(unknownHash(driver, txHash)), null);
    },
    "look up transactions",
  ],
  [
    "returns the node's head and block hashes, and null for a height above the chain",
    async ({ driver, adapter }) => {
      await adapter.blocks.checkIdentity();
      const tip = await driver.tip();
      const { height, hash, time, finalizedHeight } = await adapter.blocks.fetchHead();
      assert.deepEqual({ height, hash, time }, { height: tip.height, hash: tip.hash, time: tip.time });
      if (adapter.data.finality.kind === "finalized") assert.ok(finalizedHeight! <= height);
      else assert.equal(finalizedHeight, null);
      assert.equal(await adapter.blocks.fetchHash(height), hash);
      assert.equal(await adapter.blocks.fetchHash(height - 1), tip.parentHash);
      assert.equal(await adapter.blocks.fetchHash(height + 1), null);
    },
    "mine on demand",
  ],
  [
    "finds a payment in its block with all its fields",
    async (bench) => {
      const { driver, adapter } = bench;
      const shown = bench.newAddress();
      const amount = 123_457n * driver.smallest;
      const from = (await driver.tip()).height + 1;
      const txHash = await driver.send(shown, amount);
      await driver.mine();
      const to = (await driver.tip()).height;
      const [found, ...more] = (await scan(adapter, from, to, shown)).transfers;
      assert.deepEqual(more, []);
      const { height, hash, time } = await driver.block(found!.block!.height);
      const { position, sender, extra, spends: _, ...transfer } = found!;
      const address = adapter.addresses.canonicalize(shown);
      const block = { height, hash, time };
      assert.deepEqual(transfer, {
        txHash,
        token: driver.token,
        address,
        amount,
        block,
        unmatchedReason: null,
      });
      if (driver.positioned) assert.ok(position >= 0);
      else assert.equal(position, NO_POSITION);
      assert.equal(extra, driver.addresses.extra?.(shown));
      if (sender !== null) assert.equal(adapter.addresses.canonicalize(sender), sender);
      const others = await scan(adapter, from, to, bench.newAddress());
      assert.deepEqual(others.transfers, [], "other people's payments are not ours");
    },
  ],
  [
    "reports each payment once with its branch, for scans of no payment, one block and many blocks",
    async (bench) => {
      const { driver, adapter } = bench;
      const [a, b] = [bench.newAddress(), bench.newAddress()];
      const before = await driver.tip();
      const paid: string[] = [];
      for (const [address, blocks] of [
        [a, 1],
        [b, 20],
        [a, 3],
      ] as const) {
        paid.push(await driver.send(address, driver.smallest * 1_000n));
        await driver.mine(blocks);
      }
      const tip = await driver.tip();
      const whole = await scan(adapter, before.height + 1, tip.height, a, b);
      assert.deepEqual(hashes(whole.transfers), paid);
      assert.equal(whole.parentHash, before.hash);
      assert.equal(whole.tipHash, tip.hash);

      const found: ChainTransfer[] = [];
      let at = before;
      for (const blocks of [1, 8, tip.height - before.height - 9]) {
        const part = await scan(adapter, at.height + 1, at.height + blocks, a, b);
        assert.equal(part.parentHash, at.hash);
        at = await driver.block(at.height + blocks);
        assert.equal(part.tipHash, at.hash);
        found.push(...part.transfers);
      }
      assert.deepEqual(found, whole.transfers);
      assert.deepEqual((await scan(adapter, before.height + 3, before.height + 15, a)).transfers, []);
      assert.deepEqual((await scan(adapter, before.height + 1, tip.height)).transfers, []);
      await assert.rejects(scan(adapter, tip.height + 1, tip.height), RangeError);
      await assert.rejects(scan(adapter, tip.height, tip.height + 1), isNodeError("inconsistent"));
    },
    "mine on demand",
  ],
  [
    "reports one transfer for each address that a transaction pays, each at its own position",
    async (bench) => {
      const { driver, adapter } = bench;
      const [a, b, stranger] = [bench.newAddress(), bench.newAddress(), bench.newAddress()];
      const unit = driver.smallest * 1_000n;
      const from = (await driver.tip()).height + 1;
      const txHash = await driver.sendMany([
        [a, 3n * unit],
        [stranger, 9n * unit],
        [b, 4n * unit],
        [a, 3n * unit],
      ]);
      await driver.mine();
      const { transfers } = await scan(adapter, from, (await driver.tip()).height, a, b);
      assert.deepEqual(
        transfers.map((transfer) => [transfer.txHash, transfer.position, transfer.address, transfer.amount]),
        [
          [txHash, 0, adapter.addresses.canonicalize(a), 3n * unit],
          [txHash, 2, adapter.addresses.canonicalize(b), 4n * unit],
          [txHash, 3, adapter.addresses.canonicalize(a), 3n * unit],
        ],
      );
    },
    "tell several payments of one transaction apart",
  ],
];

const NOTHING_CASES: readonly Case[] = (
  [
    ["does not report a payment of 0", (driver, to) => driver.sendNothing(to)],
    ["does not report a payment that fails", (driver, to) => driver.sendFailing(to)],
    [
      "does not report another token, or movements of its coin that no block reports",
      (driver, to) => driver.sendOthers(to),
    ],
    ["does not report fake payments in the token", (driver, to) => driver.sendLookAlikes(to)],
  ] as const satisfies readonly (readonly [
    string,
    (driver: ContractDriver, to: string) => Promise<unknown>,
  ])[]
).map(([name, send]) => [
  name,
  async (bench) => {
    const { driver, adapter } = bench;
    const shown = bench.newAddress();
    const { height } = await driver.tip();
    await send(driver, shown);
    const ours = owning(adapter.addresses.canonicalize(shown)!);
    assert.deepEqual(await waitingTransfers(adapter, ours), []);
    await driver.mine();
    const tip = await driver.tip();
    assert.deepEqual((await adapter.blocks.scan({ from: height + 1, to: tip.height }, ours)).transfers, []);
  },
]);

const STATUS_CASES: readonly Case[] = [
  [
    "returns the status of a transaction: unknown, pending, confirmed, failed",
    async ({ driver, adapter, newAddress }) => {
      const { statusKinds, smallest } = driver;
      const txHash = await driver.send(newAddress(), smallest * 1_000n);
      assert.equal((await adapter.transactions!.fetchStatus(unknownHash(driver, txHash))).kind, "unknown");
      assert.equal((await adapter.transactions!.fetchStatus(txHash)).kind, statusKinds.waiting);
      await driver.mine();
      const { height: blockHeight, hash: blockHash } = await driver.tip();
      const confirmed = { kind: "confirmed", blockHeight, blockHash };
      assert.deepEqual(await adapter.transactions!.fetchStatus(txHash), confirmed);
      assert.deepEqual(await adapter.transactions!.fetchStatus(txHash, blockHash), confirmed);
      await driver.mine(3);
      assert.deepEqual(await adapter.transactions!.fetchStatus(txHash), confirmed);
      const failed = await driver.sendFailing(newAddress());
      await driver.mine();
      assert.equal((await adapter.transactions!.fetchStatus(failed)).kind, statusKinds.failed);
    },
    "mine on demand",
    "look up transactions",
  ],
  [
    "returns the status of a transaction that a reorg reverted",
    async ({ driver, adapter, newAddress }) => {
      const { statusKinds, smallest } = driver;
      const txHash = await driver.send(newAddress(), smallest * 1_000n);
      await driver.mine(4);
      const confirmed = await adapter.transactions!.fetchStatus(txHash);
      assert.ok(confirmed.kind === "confirmed");
      await driver.reorg(4, { keep: false });
      assert.equal((await adapter.transactions!.fetchStatus(txHash)).kind, statusKinds.reverted);
      assert.equal(
        (await adapter.transactions!.fetchStatus(txHash, confirmed.blockHash)).kind,
        statusKinds.reverted,
      );
    },
    "be reorganized",
    "look up transactions",
  ],
  [
    "reports the replacement of a payment instead of the payment",
    async (bench) => {
      const { driver, adapter } = bench;
      const [a, b] = [bench.newAddress(), bench.newAddress()];
      const { height } = await driver.tip();
      const first = await driver.send(a, driver.smallest * 2_000n);
      const second = await driver.replace(first, b, driver.smallest * 1_500n);
      assert.notEqual(first, second);
      await driver.mine();
      const tip = await driver.tip();
      const { transfers } = await scan(adapter, height + 1, tip.height, a, b);
      assert.deepEqual(hashes(transfers), [second]);
      assert.deepEqual(await adapter.transactions!.fetchStatus(first), { kind: "unknown" });
      assert.equal((await adapter.transactions!.fetchStatus(second)).kind, "confirmed");
      assert.deepEqual(await waitingTransfers(adapter, owning(a, b)), []);
    },
    "mine on demand",
    "look up transactions",
  ],
];

const REORGANIZATION_CASES: readonly Case[] = [1, 13].flatMap((depth): Case[] => [
  [
    `a payment that a reorg of ${depth} keeps is in another block`,
    async ({ driver, adapter, newAddress }) => {
      const shown = newAddress();
      const { height, hash: parent } = await driver.tip();
      const txHash = await driver.send(shown, driver.smallest * 1_000n);
      await driver.mine(depth);
      const before = await scan(adapter, height + 1, height + depth, shown);
      await driver.reorg(depth, { keep: true });
      const after = await scan(adapter, height + 1, height + depth, shown);
      assert.deepEqual(
        [before, after].map(({ transfers }) => hashes(transfers)),
        [[txHash], [txHash]],
      );
      assert.deepEqual([before.parentHash, after.parentHash], [parent, parent]);
      assert.notEqual(after.tipHash, before.tipHash);
      const { block } = after.transfers[0]!;
      assert.notEqual(block?.hash, before.transfers[0]?.block?.hash);
      assert.equal(await adapter.blocks.fetchHash(block!.height), block?.hash);
      assert.equal(await adapter.blocks.fetchHash(height), parent);
    },
    "be reorganized",
  ],
  [
    `a payment that a reorg of ${depth} reverts is in no block until it is mined again`,
    async (bench) => {
      const { driver, adapter } = bench;
      const shown = bench.newAddress();
      const { height } = await driver.tip();
      const txHash = await driver.send(shown, driver.smallest * 1_000n);
      await driver.mine(depth);
      const before = await scan(adapter, height + 1, height + depth, shown);
      await driver.reorg(depth, { keep: false });
      const after = await scan(adapter, height + 1, (await driver.tip()).height, shown);
      assert.deepEqual(after.transfers, []);
      assert.equal(after.parentHash, before.parentHash);
      const waiting = await waitingTransfers(adapter, owning(adapter.addresses.canonicalize(shown)!));
      assert.deepEqual(hashes(waiting), driver.showsMempool ? [txHash] : []);
      await driver.resend(txHash);
      await driver.mine();
      const [again] = await scanTip(bench, shown);
      const [first] = before.transfers;
      assert.deepEqual({ ...again, block: null, position: 0 }, { ...first, block: null, position: 0 });
    },
    "be reorganized",
  ],
]);

/** Everything that an adapter must do, on every network. The cases run in this order on one chain. */
export const ADAPTER_CASES: readonly Case[] = [
  ...ADDRESS_CASES,
  ...READING_CASES,
  ...NOTHING_CASES,
  ...STATUS_CASES,
  ...REORGANIZATION_CASES,
  ...NODE_CASES,
];
