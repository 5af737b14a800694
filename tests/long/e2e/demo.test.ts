import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { test } from "@playwright/test";
import { createWalletClient, http, parseAbi, parseUnits } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { rpc } from "#lib/dev-chains/rpc.ts";
import { temporaryFolder } from "#tests/support/database.ts";
import { keepLog, keepSecrets } from "#tests/support/kept-logs.ts";
import { findProcesses } from "#tests/support/processes.ts";
import { spawnCli } from "#tests/support/run-cli.ts";
import { until } from "#tests/support/until.ts";

const ROOT = join(import.meta.dirname, "../../..");
const dataDir = temporaryFolder();
/** A first start builds the page. */
const LONG = { withinMs: 120_000, everyMs: 100 };
const running = new Set<ChildProcess>();

test.afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  const log = join(dataDir, "server.log");
  // After a failed test, a fresh worker runs the rest, which may start no server.
  if (existsSync(log)) keepLog("server", readFileSync(log, "utf8"));
  rmSync(dataDir, { recursive: true, force: true });
});

interface DemoJson {
  base_url: string;
  payment_url: string;
  database_url: string;
  shop_url: string;
  merchant: { test_key: string };
  chains: Record<string, Record<string, string>>;
}

const ITSELF = [process.execPath, "lib/demo/main.ts", "--manual-mining"];
const BY_NPM = ["npm", "run", "demo", "--", "--manual-mining"];

/** Starts the demo in a process group of its own, as a terminal does. */
function spawnDemo(env: Record<string, string>, [program = "", ...args] = ITSELF) {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  void ended.then(() => running.delete(child));
  return { child, ended, output: () => output };
}

/** Starts the demo and waits until it has printed its addresses. */
async function startDemo(ports: { PORT: string; SHOP_PORT: string }, command = ITSELF) {
  const { child, ended, output } = spawnDemo(ports, command);
  await until(
    "the demo's addresses",
    () => {
      if (child.exitCode !== null) throw new Error(`the demo ended:\n${output()}`);
      return output().includes("Ctrl-C stops everything");
    },
    LONG,
  );
  const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as DemoJson;
  keepSecrets(...Object.values(demo.merchant));
  return { child, ended, demo, output };
}

async function api(demo: DemoJson, path: string, fields?: Record<string, string>) {
  const response = await fetch(demo.base_url + path, {
    headers: { "x-staging-api-key": demo.merchant.test_key },
    ...(fields && { method: "POST", body: new URLSearchParams(fields) }),
  });
  const answer = (await response.json()) as { message: string; data: Record<string, unknown> };
  assert.equal(response.status, 200, answer.message);
  return answer.data;
}

/** Pays as any script that has read demo.json can. */
async function payUsdt(demo: DemoJson, to: string, amount: string): Promise<void> {
  const { rpc_url: url, usdt, faucet_private_key: key } = demo.chains.bep20!;
  const client = createWalletClient({
    account: privateKeyToAccount(key as `0x${string}`),
    transport: http(url),
  });
  await client.writeContract({
    chain: null,
    address: usdt as `0x${string}`,
    abi: parseAbi(["function transfer(address to, uint256 amount)"]),
    functionName: "transfer",
    args: [to as `0x${string}`, parseUnits(amount, 18)],
  });
}

/**
 * Pays ETH on the network through the demo wallet's form, as after scanning the code. Resolves to the hash.
 */
async function payEther(demo: DemoJson, network: "erc20" | "base", to: string): Promise<string> {
  const code = `ethereum:${to}@${demo.chains[network]!.chain_id}?value=1500000000000000000`;
  const body = new URLSearchParams({ to: code, amount: "" });
  const answer = await fetch(`${demo.shop_url}/wallet/send`, { method: "POST", body, redirect: "manual" });
  return new URL(answer.headers.get("location") ?? "", demo.shop_url).searchParams.get("sent") ?? "";
}

test("pays the demo by a script, kills and restarts it, and stops it with Ctrl-C without leftovers", async () => {
  const ports = { PORT: String(await choosePort(0)), SHOP_PORT: String(await choosePort(0)) };
  const first = await startDemo(ports);
  assert.equal(first.demo.payment_url, `http://127.0.0.1:${ports.PORT}/pay`);
  assert.match(await (await fetch(first.demo.shop_url)).text(), /Pay with crypto/);
  const link = await api(first.demo, "/payment-links", {
    amount: "16000",
    payment_reference: "DEMO1",
    customer_details: '{"email":"ada@example.com","first_name":"Ada","last_name":"Obi"}',
    success_url: "https://shop.example/thanks",
    cancel_url: "https://shop.example/cart",
    wallets: '[{"network":"bep20","token":"USDT"}]',
  });
  const { address } = (link.wallets as { address: string }[])[0]!;
  await payUsdt(first.demo, address, "10");
  const own = await api(first.demo, "/wallets/generate-merchant-wallet", { network: "erc20" });
  const others = await api(first.demo, "/wallets/generate-merchant-wallet", { network: "base" });
  const coins = {
    erc20: await payEther(first.demo, "erc20", String(own.address)),
    base: await payEther(first.demo, "base", String(others.address)),
  };

  assert.match(first.output(), new RegExp(`${first.demo.base_url}/docs`));
  const toDocs = await fetch(first.demo.base_url, { redirect: "manual" });
  assert.deepEqual([toDocs.status, toDocs.headers.get("location")], [302, "/v1/docs"]);

  first.child.kill("SIGKILL");
  await first.ended;

  const second = await startDemo(ports);
  assert.equal(second.demo.merchant.test_key, first.demo.merchant.test_key);
  assert.equal(second.demo.base_url, first.demo.base_url);
  await rpc(second.demo.chains.bep20!.rpc_url!, "anvil_mine", [3]);
  await until("the link to be completed", async () => {
    const { state } = await api(second.demo, `/payment-links/${link.refid}`);
    return state === "completed";
  });
  for (const [network, blocks] of [
    ["erc20", 12],
    ["base", 20],
  ] as const) {
    await rpc(second.demo.chains[network]!.rpc_url!, "anvil_mine", [blocks]);
    const hash = coins[network];
    assert.match(hash, /^0x[0-9a-f]{64}$/);
    const deposit = await until(`the ETH on ${network}`, () =>
      api(second.demo, `/transaction/deposit/${hash}`).catch(() => null),
    );
    assert.deepEqual([deposit.network, deposit.token, deposit.value], [network, "eth", 1.5]);
  }
  await until("the shop's webhook", async () => {
    const inbox = (await (await fetch(`${second.demo.shop_url}/webhooks.json`)).json()) as {
      verified: boolean;
      body: string;
    }[];
    return inbox.some(({ verified, body }) => verified && body.includes('"payment_link_completed"'));
  });
  assert.match(
    await (await fetch(`${second.demo.shop_url}/webhooks`)).text(),
    /Order DEMO1<\/h2><strong>shipped/,
  );

  const { tokenConfigs } = await api(second.demo, "/tokens");
  const unpriced = (tokenConfigs as { token: string; price_usd: unknown }[]).filter(
    ({ price_usd }) => typeof price_usd !== "number",
  );
  assert.deepEqual(unpriced, []);
  await api(second.demo, "/trade/buy", { token: "busd", amount: "2" });

  const by = { DATABASE_URL: second.demo.database_url };
  const hook = "http://127.0.0.1:9999/hook";
  const set = spawnCli(
    by,
    "merchant",
    "update",
    "demo@paylink.example",
    "--env",
    "test",
    "--webhook-url",
    hook,
  );
  assert.equal(set.status, 0, set.stderr);
  assert.deepEqual(JSON.parse(set.stdout).webhook_url, { live: null, test: hook });

  // Both starts have filled the hot accounts, and recorded it.
  const env = Object.fromEntries(
    readFileSync(join(dataDir, "demo.env"), "utf8")
      .trim()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const check = spawnCli(env, "ledger", "check", "--chain");
  assert.equal(check.status, 0, check.stdout + check.stderr);

  const twin = spawnDemo({ PORT: String(await choosePort(0)), SHOP_PORT: String(await choosePort(0)) });
  assert.equal(await twin.ended, 1);
  assert.match(twin.output(), /The demo, or another program, is already running in/);
  await interrupt(second);
  for (const url of [second.demo.base_url, second.demo.shop_url, second.demo.chains.bep20!.rpc_url!]) {
    await assert.rejects(fetch(url), `${url} still answers`);
  }
});

/** Without the progress that a slow machine reports between steps. */
const stepsOf = (output: string) => output.replaceAll(/^ {2}still: .*\n/gm, "");

/** Ctrl-C: the terminal signals the whole process group, and npm passes the signal on. */
async function interrupt({ child, ended, output }: ReturnType<typeof spawnDemo>): Promise<void> {
  const printed = output().length;
  process.kill(-child.pid!, "SIGINT");
  child.kill("SIGINT");
  assert.equal(await ended, 0, output());
  assert.equal(stepsOf(output().slice(printed)), "stopping …\nstopping PostgreSQL\n");
}

test("keeps a webhook address that was set by hand, and names a port that is taken during the start", async () => {
  const ports = { PORT: String(await choosePort(0)), SHOP_PORT: String(await choosePort(0)) };
  const third = await startDemo(ports, BY_NPM);
  assert.match(third.output(), /Webhooks +http:\/\/127\.0\.0\.1:9999\/hook +\(set by hand/);
  // To npm alone, which passes it on.
  third.child.kill("SIGTERM");
  assert.equal(await third.ended, 0, third.output());
  assert.deepEqual(findProcesses(`${dataDir}/`), []);

  const fourth = spawnDemo(ports);
  // It has chosen its ports by then, and the shop comes last.
  await until("the first step of the start", () => fourth.output().includes("starting PostgreSQL"), LONG);
  const thief = createServer().listen(Number(ports.SHOP_PORT), "127.0.0.1");
  await once(thief, "listening");
  assert.equal(await fourth.ended, 1);
  thief.close();
  assert.match(
    stepsOf(fourth.output()),
    new RegExp(
      `roles …\nstarting the signer …\nstopping PostgreSQL\nThe shop cannot use port ${ports.SHOP_PORT} \\(.*\\)\\. Set.*port\\.\n$`,
    ),
  );
});

test("refuses a port that was set and is taken, and another node, with one sentence and before it starts", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const taken = String((server.address() as AddressInfo).port);
  for (const [env, sentence] of [
    [{ PORT: taken }, `Port ${taken} is taken. Set PORT to a free port.`],
    [
      { PORT: String(await choosePort(0)), SHOP_PORT: taken },
      `Port ${taken} is taken. Set SHOP_PORT to a free port.`,
    ],
    [{ SHOP_PORT: "shop" }, "SHOP_PORT must be a whole number from 1 to 65535."],
    [
      { TEST_BEP20_RPC_URL: "http://127.0.0.1:8545" },
      'The demo uses its own chains. Unset TEST_BEP20_RPC_URL, or use your own node with "npm run dev".',
    ],
  ] as const) {
    const { ended, output } = spawnDemo(env);
    assert.equal(await ended, 1);
    assert.equal(output().trim().split("\n").at(-1), sentence);
  }
  server.close();
});
