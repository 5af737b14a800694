/** The payments of one transaction (ChainReader), on a real node of each network (TRON: our emulator). */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { openBitcoinDriver } from "#tests/chains/contract/drivers/bitcoin.ts";
import type { ContractDriver } from "#tests/chains/contract/drivers/driver.ts";
import { openEvmDriver } from "#tests/chains/contract/drivers/evm.ts";
import { openTrc20Driver, openTrxDriver } from "#tests/chains/contract/drivers/trc20.ts";
import { openBitcoin } from "#tests/support/bitcoind.ts";
import { startFakeNode } from "#tests/support/fake-node.ts";

interface Subject {
  open(): Promise<ContractDriver>;
  /** The input that only one transaction can spend. TRON has no equivalent. */
  readonly spends: RegExp | null;
  readonly none: string;
  /** A transaction moves its network's own coin to one address. */
  readonly paysMany: boolean;
}

const EVM = { spends: /^0x[0-9a-f]{40}:\d+$/, none: `0x${"0".repeat(64)}` };
const SUBJECTS: Readonly<Record<string, Subject>> = {
  bitcoin: { open: openBitcoinDriver, spends: /^[0-9a-f]{64}:\d+$/, none: "0".repeat(64), paysMany: true },
  trc20: { open: openTrc20Driver, spends: null, none: "0".repeat(64), paysMany: true },
  "trc20 (trx)": { open: openTrxDriver, spends: null, none: "0".repeat(64), paysMany: false },
  bep20: {
    ...EVM,
    open: () => openEvmDriver({ network: "bep20", token: "usdt" }),
    paysMany: true,
  },
  "erc20 (eth)": {
    ...EVM,
    open: () => openEvmDriver({ network: "erc20", token: "eth" }),
    paysMany: false,
  },
};

for (const [name, { open, spends: form, none, paysMany }] of Object.entries(SUBJECTS)) {
  suite(name, { concurrency: false }, () => {
    let driver: ContractDriver;
    let adapter: NetworkAdapter;
    let address: string;
    let other: string;
    before(async () => {
      driver = await open();
      adapter = driver.open(driver.rpcUrl).find("test", driver.network)!;
      address = adapter.addresses.derive(7).address;
      other = adapter.addresses.derive(8).address;
    });
    after(() => driver.close());
    const shown = (canonical: string) => adapter.addresses.display(canonical);
    const payments = (hash: string) => adapter.transactions!.fetchPayments(hash);
    const to = (canonical: string, found: Awaited<ReturnType<typeof payments>>) =>
      (found?.payments ?? [])
        .filter((payment) => payment.address === canonical && payment.token === driver.token)
        .map(({ amount }) => amount);

    test("an unknown transaction has no payments", async () => {
      assert.equal(await payments(none), null);
    });

    test("a waiting transaction is in no block, and only UTXO outputs say what it pays", async () => {
      const hash = await driver.send(shown(address), 100_000n * driver.smallest);
      const found = await payments(hash);
      if (driver.statusKinds.waiting === "unknown") return assert.equal(found, null);
      assert.deepEqual([found!.block, found!.failed], [null, false]);
      assert.deepEqual(
        found!.payments && to(address, found),
        driver.network === "bitcoin" ? [100_000n * driver.smallest] : null,
      );
      // A transaction of TRON has no nonce: nothing else would use up what it spends.
      assert.equal(found!.spends.length > 0, driver.network !== "trc20");
    });

    test("reports every payment of a transaction in a block, to the last unit", async () => {
      const amounts = [100_001n, 200_000n].map((amount) => amount * driver.smallest);
      const hash = paysMany
        ? await driver.sendMany([
            [shown(address), amounts[0]!],
            [shown(other), amounts[1]!],
          ])
        : await driver.send(shown(address), amounts[0]!);
      await driver.mine();
      const { height, hash: block } = await driver.tip();
      const found = await payments(hash);
      assert.deepEqual([found!.block, found!.failed], [{ height, hash: block }, false]);
      assert.deepEqual([to(address, found), to(other, found)], [[amounts[0]], paysMany ? [amounts[1]] : []]);
      assert.equal(found!.spends.length > 0, form !== null);
      for (const spent of found!.spends) assert.match(spent, form!);
      await driver.mine();
      assert.deepEqual(await payments(hash), found);
    });

    test("a failed transaction paid no one", async () => {
      const hash = await driver.sendFailing(shown(address));
      await driver.mine();
      const found = await payments(hash);
      if (driver.statusKinds.failed === "unknown") return assert.equal(found, null);
      assert.deepEqual([found!.failed, found!.payments], [true, []]);
      assert.ok(found!.block);
    });

    test("a transaction that a reorg removed is in no block", async () => {
      const hash = await driver.send(shown(address), 100_000n * driver.smallest);
      await driver.mine();
      assert.ok((await payments(hash))!.block);
      await driver.reorg(1, { keep: false });
      assert.equal((await payments(hash))?.block ?? null, null);
    });
  });
}

test("refuses a node that sends another transaction's bytes", async (t) => {
  const driver = await openBitcoinDriver();
  const fake = await startFakeNode(driver.rpcUrl);
  t.after(async () => {
    await fake.close();
    await driver.close();
  });
  const adapter = driver.open(fake.url).find("test", "bitcoin")!;
  const { address } = adapter.addresses.derive(7);
  const [one, two] = [await driver.send(address, 1_000_000n), await driver.send(address, 2_000_000n)];
  const otherHex = await openBitcoin(driver.rpcUrl).call<string>("getrawtransaction", two);
  fake.twist = async ({ method, params }, pass) => {
    if (method !== "getrawtransaction" || params[0] !== one) return undefined;
    const honest = (await pass()) as Record<string, unknown>;
    return { ...honest, hex: otherHex };
  };
  await assert.rejects(adapter.transactions!.fetchPayments(one), /another transaction than/);
});
