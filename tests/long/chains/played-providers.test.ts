/** The short form of `npm run test:providers`. */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { DRIVERS } from "#tests/chains/contract/drivers/drivers.ts";
import { leadHome } from "#tests/providers/lead-home.ts";
import { listPlayed, PLAIN } from "#tests/providers/plans.ts";
import { runProviders } from "#tests/providers/run.ts";
import { type PlayedPlan, playProvider } from "#tests/providers/server.ts";
import { MOST_REFUSED } from "#tests/providers/suite.ts";

/** A host of which nothing is known, as of a gateway before a provider: each limit is learned from its refusals. */
const UNKNOWN_HOST = "rpc.shop.example";
const SIZE = { links: 1, payments: 10, countMs: 0 };

const sayRate = (status: number, message: string) => ({ ...PLAIN.says, rate: { status, message } });

interface Learned {
  readonly driver: string;
  readonly network: string;
  readonly behind: number;
  /** By provider: what is other than in its plan, and what it must have refused. */
  readonly plans: readonly (readonly [
    name: string,
    changes: Partial<PlayedPlan>,
    refusals: readonly string[],
  ])[];
}

/** Watches through the plans at an unknown host. Fails unless every payment is credited once and each refusal came, and soon ended. */
function learnFrom({ driver, network, behind, plans }: Learned): void {
  test(`${network}: every payment is credited once`, async () => {
    const pairs = plans.map(([name, changes]) => {
      const found = listPlayed(network).find((played) => played.name === name)!;
      return { plan: { ...found, host: UNKNOWN_HOST, spent: true, ...changes }, tokens: ["usdt"] as const };
    });
    const runs = await runProviders(await DRIVERS[driver]!(), pairs, { ...SIZE, behind });
    for (const [i, { lost, doubled, problems, paid, counts }] of runs.entries()) {
      const [name, , refusals] = plans[i]!;
      assert.deepEqual([name, lost, doubled, problems, paid], [name, 0, 0, [], SIZE.payments]);
      const { refused } = counts;
      assert.deepEqual(
        refusals.filter((why) => !Object.keys(refused).includes(why)),
        [],
        name,
      );
      assert.ok(
        Object.values(refused).every((count) => count <= MOST_REFUSED),
        name,
      );
    }
  });
}

const EVM_WORDS: Learned = {
  ...{ driver: "bep20", network: "bep20", behind: 60 },
  plans: [
    ["dRPC", { logBlocks: 20 }, ["batch", "logs", "rate"]],
    ["Chainstack", { perSecond: 15, logBlocks: 20 }, ["rate", "logs"]],
    ["Infura", { perSecond: 15 * 80, logBlocks: 20 }, ["rate", "logs"]],
    ["QuickNode", { perSecond: 15 * 20 }, ["rate", "logs"]],
  ],
};

/** TronGrid without a key, and a busy java-tron. Both are asked at two interfaces. */
const SUSPENDED = "The key exceeds the frequency limit(15), and the query server is suspended for 1s";
const BUSY = '{"Error":"class java.lang.RuntimeException : lack of computing resources"}';

const UNKEYED: readonly Partial<PlayedPlan>[] = [
  { perSecond: 15, suspendedMs: 1_000, says: sayRate(403, SUSPENDED) },
  { perSecond: 15, suspendedMs: 0, says: sayRate(200, BUSY) },
];

const TRON_WORDS: Learned = {
  ...{ driver: "trc20", network: "trc20", behind: 5 },
  plans: UNKEYED.map((changes) => ["TronGrid", changes, ["rate"]]),
};

describe("plans that are not known", { concurrency: true }, () => {
  after(leadHome([UNKNOWN_HOST]));
  for (const words of [EVM_WORDS, TRON_WORDS]) learnFrom(words);
});

for (const network of ["bep20", "trc20", "solana", "xrp"]) {
  test(`${network}: each provider's words for too many requests are understood`, async (t) => {
    const driver = await DRIVERS[network]!();
    t.after(driver.close);
    t.after(leadHome([UNKNOWN_HOST]));
    const limited = listPlayed(network).filter(({ perSecond }) => perSecond !== null);
    const words: PlayedPlan[] =
      network === "trc20" ? [...limited, ...UNKEYED.map((one) => ({ ...limited[0]!, ...one }))] : limited;
    for (const plan of words) {
      const { header: _, ...open } = { ...plan, host: UNKNOWN_HOST, spent: true };
      const server = await playProvider(open, driver.rpcUrl);
      t.after(server.close);
      const [adapter] = driver.open(server.url).all();
      await assert.rejects(
        adapter!.blocks.fetchHead(),
        { name: "NodeError", kind: "rate_limited" },
        plan.host,
      );
    }
  });
}

test("a provider without eth_getLogs is named by the probe, although its refusal reads like one for the rate", async (t) => {
  const plan = listPlayed("bep20").find(({ name }) => name === "BSC dataseed")!;
  t.after(leadHome([plan.host]));
  const driver = await DRIVERS.bep20!();
  t.after(driver.close);
  const server = await playProvider(plan, driver.rpcUrl);
  t.after(server.close);
  const [probe] = await driver.open(server.url).all()[0]!.nodes.probe({ all: false });
  const missing = probe!.checks.filter(({ ok }) => !ok);
  assert.equal(probe!.provider?.name, plan.name);
  assert.ok(missing.length > 0 && missing.every(({ what }) => what.startsWith("eth_getLogs")));
  assert.match(missing[0]!.answer, /limit exceeded/);
});

test("a played provider refuses what its plan does not allow, in its own words", async (t) => {
  const driver = await DRIVERS.bep20!();
  t.after(driver.close);
  const call = { jsonrpc: "2.0", id: 0, method: "eth_blockNumber", params: [] };
  const logs = { ...call, method: "eth_getLogs", params: [{ fromBlock: "0x0", toBlock: "0x64" }] };
  const ask = async (name: string, requests: readonly unknown[], key = true) => {
    const plan = listPlayed(name === "TronGrid" ? "trc20" : "bep20").find((played) => played.name === name)!;
    const server = await playProvider(plan, driver.rpcUrl);
    t.after(server.close);
    const { port, pathname } = new URL(server.url);
    const headers: Record<string, string> = key && plan.header ? { [plan.header[0]]: plan.header[1] } : {};
    const answers = [];
    for (const request of requests) {
      const url = `http://127.0.0.1:${port}${key || plan.header ? pathname : "/"}`;
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(request) });
      answers.push(`${response.status} ${await response.text()}`);
    }
    return answers;
  };
  const [taken, batch, span] = await ask("dRPC", [Array(3).fill(call), Array(4).fill(call), logs]);
  assert.match(taken!, /^200 \[.*"result"/);
  assert.match(batch!, /^500 .*"code":31,"message":"Batch of more than 3/);
  assert.match(span!, /^400 .*"code":35,"message":"ranges over 10000 blocks/);
  assert.match((await ask("QuickNode", [call], false)).join(), /^401 /);
  assert.match((await ask("TronGrid", [call], false)).join(), /^401 /);
  const [sixteenth] = await ask("TronGrid", [Array(16).fill(call)]);
  assert.match(sixteenth!, /^429 \{"Error":"The key exceeds the frequency limit\(15\)/);
  // The rate refills with the clock, so only more than a second's worth is refused for certain.
  const [whole, second] = await ask("Chainstack", [Array(25).fill(call), Array(26).fill(call)]);
  assert.match(whole!, /^200 \[.*"result"/);
  assert.match(second!, /^200 .*"code":-32005,"message":"You've exceeded the RPS limit/);
});
