/**
 * A day of a shop in fast time: payments, payouts, refunds, sweeps and reorganizations on an EVM chain. At its end the books agree with
 * themselves and with the chain, to the unit. Then one unit is stolen, and found. `npm run test:faults -- day` runs the long form.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { recordMovement } from "#lib/domain/ledger/record-movement.ts";
import { checkChain } from "#lib/domain/proof/check-chain.ts";
import { deriveChildKey, openAccountKey } from "#lib/signer/account-key.ts";
import { deploySweeper } from "#lib/signer/evm/deploy-sweeper.ts";
import { openJournal } from "#lib/signer/journal.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import { openSigner, stepNetwork } from "#lib/signer/run-signer.ts";
import { hereBy } from "#tests/support/acts.ts";
import {
  deployUsdt,
  height,
  mine,
  payUsdt,
  rawTransaction,
  reorg,
  rpc,
  sendEvmUsdt,
  startAnvil,
  transferData,
  USDT_ADDRESS,
} from "#tests/support/anvil.ts";
import { between, LONG, pick, SEED } from "#tests/support/fault-random.ts";
import { settleAllCosts } from "#tests/support/follow-all.ts";
import { ACCOUNT_KEY, EMAIL, WORDS } from "#tests/support/signer-world.ts";
import { sweepPolicy } from "#tests/support/sweeper-world.ts";
import { until } from "#tests/support/until.ts";
import { evmNetwork, log, USDT } from "#tests/support/watched-chain.ts";
import { openWatchedNetwork } from "#tests/support/watched-network.ts";
import { withdrawalSteps } from "#tests/support/withdrawal-steps.ts";
import { aWithdrawal } from "#tests/support/withdrawals.ts";

const COIN = 10n ** 18n;
const DAY_MS = 86_400_000;
const SIZE = LONG
  ? { payments: 5_000, payouts: 500, refunds: 200, rounds: 50 }
  : { payments: 60, payouts: 10, refunds: 4, rounds: 3 };
const POLICY = sweepPolicy({}, { per_transfer: "1000", per_day: "1000000", auto_up_to: "1000" });

/** A watched chain, and a signer whose hot account has coins and tokens that are in the books. */
async function openDay(t: TestContext) {
  const node = await startAnvil({ automine: false });
  const { url } = node;
  await deployUsdt(url);
  const networks = evmNetwork("bep20", [url], { usdt: USDT_ADDRESS }, { accountKey: ACCOUNT_KEY });
  const pair = { network: "bep20", token: "usdt" } as const;
  const watched = await openWatchedNetwork(networks, pair, "usdt/usd=1,bnb/usd=600");
  const folder = mkdtempSync(join(tmpdir(), "paylink-day-"));
  const { db, adapter } = watched;
  const journal = openJournal(join(folder, "journal.jsonl"));
  t.after(async () => {
    await watched.close();
    await node.kill();
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const parsed = parsePolicy(POLICY, (_env, _network, address) => adapter.addresses.canonicalize(address));
  let now = Date.now();
  const clock = () => new Date(now);
  const hot = adapter.sending!.hotAccount()!;
  await rpc(url, "anvil_setBalance", [hot, `0x${(10n * COIN).toString(16)}`]);
  await sendEvmUsdt(url, hot, 100n * USDT);
  await mine(url);
  for (const [token, amount] of [
    ["usdt", 100n * USDT],
    ["bnb", 10n * COIN],
  ] as const) {
    const movement = { kind: "brought_in", network: "bep20" } as const;
    const given = { env: "test", token, amount, reference: `first-${token}`, movement } as const;
    await db.transaction((tx) => recordMovement(hereBy(tx), given));
  }
  await db.execute(`insert into token_prices (token, price, source, at)
    values ('usdt', '1', 'test', now()), ('bnb', '600', 'test', now())`);
  await deploySweeper({
    adapter,
    mnemonic: WORDS,
    policy: parsed.networks.get("test.bep20")!,
    journal,
    db,
    now: clock,
  });
  await mine(url);
  const [signer] = openSigner({
    db,
    networks,
    mnemonic: WORDS,
    journal,
    policy: () => parsed,
    log,
    now: clock,
  });
  watched.watchInRealTime();
  return {
    ...watched,
    ...withdrawalSteps({ db, networks }, log),
    ...{ url, networks, hot, journal, step: () => stepNetwork(signer!, log) },
    pass: (ms: number) => (now += ms),
    async caughtUp() {
      const [head, since] = [await height(url), new Date()];
      await until("the watcher to be at the head", async () => {
        const at = await watched.cursor();
        return at !== null && at.height >= head && at.passStartedAt !== null && at.passStartedAt >= since;
      });
    },
    async prove() {
      const deps = { db, networks, also: () => [], waitMs: 30_000, onProgress: () => {} };
      const [proof] = await checkChain(deps);
      assert.equal(proof?.error, null);
      return proof!.tokens;
    },
  };
}
type Day = Awaited<ReturnType<typeof openDay>>;

async function credited(w: Day): Promise<void> {
  await until("every deposit to be credited", async () => {
    const { rows } = await w.db.execute("select count(*)::int as open from deposits where status <> 1");
    return rows[0]?.open === 0;
  });
}

/** Pays links with one transaction, which a reorganization moves to another block or drops for a while. */
async function payLinks(w: Day, count: number): Promise<string[]> {
  const links = [];
  for (let n = 0; n < count; n++) links.push(await w.link(between(11, 30)));
  const hash = await payUsdt(
    w.url,
    links.map(({ address, due }) => ({ to: address, amount: due })),
  );
  await mine(w.url);
  const raw = await rawTransaction(w.url, hash);
  const fate = pick(["stays", "moves", "drops"] as const);
  if (fate !== "stays") await w.caughtUp();
  if (fate === "moves") await reorg(w.url, 1, [[raw, 0]]);
  if (fate === "drops") {
    await reorg(w.url, 1);
    await w.caughtUp();
    await rpc(w.url, "eth_sendRawTransaction", [raw]);
  }
  await mine(w.url, 4);
  await w.caughtUp();
  await credited(w);
  return links.map(({ refid }) => refid);
}

/** Lets the signer pay and sweep, and the worker follow. A reorganization drops a block of it now and then. */
async function workOff(w: Day): Promise<void> {
  await until("every withdrawal to be completed", async () => {
    w.pass(61_000);
    await w.step();
    await mine(w.url);
    if (between(1, 4) === 1) {
      await reorg(w.url, 1);
      await w.step();
    }
    await mine(w.url, 4);
    await w.follow();
    await settleAllCosts({ db: w.db, networks: w.networks, log });
    const { rows } = await w.db.execute(
      "select count(*)::int as open from withdrawals where status in (0, 1, 5)",
    );
    return rows[0]?.open === 0;
  });
}

const amountsOf = (tokens: Awaited<ReturnType<Day["prove"]>>) =>
  tokens.map(({ token, difference, inFlight }) => [token, difference, inFlight.length]);

test(`a day of ${SIZE.payments} payments, ${SIZE.payouts} payouts and ${SIZE.refunds} refunds, and the theft of one unit (seed ${SEED})`, async (t) => {
  const w = await openDay(t);
  const deps = { db: w.db, networks: w.networks };
  const of = (all: number, round: number) =>
    Math.floor((all * (round + 1)) / SIZE.rounds) - Math.floor((all * round) / SIZE.rounds);
  let nobody = 0n;
  const someone = () => `0x${(0xabcdef0000n + nobody++).toString(16).padStart(40, "0")}`;
  for (let round = 0; round < SIZE.rounds; round++) {
    const paid = await payLinks(w, of(SIZE.payments, round));
    for (let n = of(SIZE.payouts, round); n > 0; n--)
      await aWithdrawal(deps, EMAIL, { amount: BigInt(between(1, 9)) * USDT, to: someone() });
    for (let n = of(SIZE.refunds, round); n > 0; n--)
      await aWithdrawal(deps, EMAIL, { amount: USDT, to: someone(), paymentLink: pick(paid) });
    const held = await w.prove();
    assert.deepEqual(
      held.map(({ token, difference }) => [token, difference]).filter(([, one]) => one !== 0n),
      [],
      "in flight",
    );
    await workOff(w);
    w.pass(DAY_MS / SIZE.rounds);
  }
  const last = await w.link(3);
  await sendEvmUsdt(w.url, last.address, last.due);
  await mine(w.url, 5);
  await workOff(w);
  await w.caughtUp();
  await credited(w);
  assert.deepEqual((await w.ledger()).problems, []);
  const kinds = w.journal.entries.map(({ kind }) => kind);
  t.diagnostic(
    `${kinds.filter((kind) => kind === "sweep").length} sweeps, ${kinds.filter((kind) => kind === "payout").length} payouts signed`,
  );
  assert.ok(kinds.includes("sweep"));
  const proof = await w.prove();
  assert.deepEqual(
    amountsOf(proof).filter(([, difference, count]) => difference !== 0n || count !== 0),
    [],
  );

  const victim = w.adapter.addresses.canonicalize(last.address)!;
  await rpc(w.url, "anvil_setNextBlockBaseFeePerGas", ["0x0"]);
  const { rows } = await w.db.execute<{ index: number }>(
    `select index from addresses where address = '${victim}'`,
  );
  const key = deriveChildKey(openAccountKey(WORDS, w.adapter), 0, rows[0]!.index);
  const thief = privateKeyToAccount(`0x${Buffer.from(key).toString("hex")}` as Hex);
  const stolen = {
    chainId: Number(await rpc(w.url, "eth_chainId", [])),
    to: USDT_ADDRESS as Hex,
    gas: 100_000n,
  };
  const data = transferData(someone(), 1n);
  const raw = await thief.signTransaction({ ...stolen, type: "legacy", nonce: 0, gasPrice: 0n, data });
  await rpc(w.url, "eth_sendRawTransaction", [raw]);
  await mine(w.url);
  await w.caughtUp();
  const after = await w.prove();
  assert.deepEqual(
    after.filter(({ difference }) => difference !== 0n).map(({ token, difference }) => [token, difference]),
    [["usdt", -1n]],
  );
  const named = after.find(({ token }) => token === "usdt")!.addresses;
  assert.deepEqual(
    named.map(({ address, onChain, expected }) => [address, onChain - expected]),
    [[victim, -1n]],
  );
});
