import assert from "node:assert/strict";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { NOBODY, type Output, openBitcoin } from "#tests/support/bitcoind.ts";
import { between, LONG, pick, random } from "#tests/support/fault-random.ts";
import type { FaultLink, FaultStack } from "#tests/support/fault-stack.ts";
import { until } from "#tests/support/until.ts";
import { testScenario } from "./fault-test.ts";

const ROUNDS = LONG ? 40 : 4;

testScenario(
  "replaced transactions, with other amounts and addresses, count at most once",
  async (stack) => {
    const bitcoin = openBitcoin(stack.chain.nodeUrl);
    await stack.startWorker();
    await stack.followed();
    const figures = { replacements: 0, "of a mined original": 0, reorganizations: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const links = [await stack.link(50), await stack.link(50)];
      let txid = await stack.chain.pay(links[0]!.address, links[0]!.amount);
      const original = await bitcoin.call<{ hex: string }>("gettransaction", txid);
      await waits(stack, txid);
      for (let n = between(1, 3); n > 0; n--) {
        const outputs = otherOutputs(links);
        txid = await bitcoin.replace(txid, outputs);
        figures.replacements += 1;
        // Half of them are replaced again before the watcher reads them.
        if (random() < 0.5) await waits(stack, txid, outputs);
      }
      const stale = random() < 0.25;
      if (stale) {
        // A miner who does not know the replacement.
        await bitcoin.mineOnly([original.hex]);
        figures["of a mined original"] += 1;
      } else await stack.chain.mine();
      await stack.followed();
      // The wallet refuses to replace a transaction a second time.
      if (!stale && random() < 0.5) {
        figures.reorganizations += 1;
        await replaceMined(stack, links);
      }
    }
    return figures;
  },
  ["bitcoin"],
);

/**
 * Returns the outputs of a replacement: a part of a link, all of it, too much, another link, two links, or a foreign
 * address.
 */
function otherOutputs([one, other]: FaultLink[]): Output[] {
  const share = (link: FaultLink | undefined, percent: number): Output => [
    link!.address,
    formatAmount((link!.amount * BigInt(percent)) / 100n, 8),
  ];
  return pick([
    [share(one, between(30, 99))],
    [share(one, 100)],
    [share(one, between(101, 200))],
    [share(other, 100)],
    [share(one, 50), share(other, 50)],
    [[NOBODY, "0.0005"]],
  ]);
}

/** Waits until the pending deposits are those of this transaction. */
async function waits(
  stack: FaultStack,
  txid: string,
  outputs: readonly Output[] | null = null,
): Promise<void> {
  const expected = outputs === null ? 1 : outputs.filter(([address]) => address !== NOBODY).length;
  await until(`transaction ${txid} to be seen`, async () => {
    const { rows } = await stack.pool.query(
      "select tx_hash from deposits where status = 0 and block_hash is null",
    );
    return rows.length === expected && rows.every(({ tx_hash }) => tx_hash === txid);
  });
}

/** Reorganizes the newest block away and replaces its payment before it is mined again. */
async function replaceMined({ chain, pool, followed }: FaultStack, links: FaultLink[]): Promise<void> {
  const bitcoin = openBitcoin(chain.nodeUrl);
  const { rows } = await pool.query(
    "select distinct tx_hash from deposits where block_hash = $1 and status <> 2",
    [await chain.tip()],
  );
  await chain.reorg(1, { later: true });
  for (const { tx_hash } of rows) {
    const entry = await bitcoin.call("getmempoolentry", tx_hash).catch(() => null);
    assert.ok(entry, `${tx_hash} waits again`);
    await bitcoin.replace(tx_hash, otherOutputs(links));
  }
  await chain.mine();
  await followed();
}
