import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { createWalletClient, http, parseAbi, parseUnits } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { choosePort } from "#lib/demo/choose-port.ts";
import { rpc } from "#lib/demo/rpc.ts";
import { temporaryFolder } from "#tests/support/database.ts";
import { keepLog, keepSecrets } from "#tests/support/kept-logs.ts";
import { until } from "#tests/support/until.ts";

const ROOT = join(import.meta.dirname, "../..");
const dataDir = temporaryFolder();
const running = new Set<ChildProcess>();

after(() => {
  for (const child of running) child.kill("SIGKILL");
  keepLog("server", readFileSync(join(dataDir, "server.log"), "utf8"));
  rmSync(dataDir, { recursive: true, force: true });
});

interface DemoJson {
  base_url: string;
  payment_url: string;
  shop_url: string;
  merchant: { test_key: string };
  chains: Record<string, Record<string, string>>;
}

/** Starts `npm run demo -- --manual-mining` and waits until it has printed its addresses. */
async function startDemo(ports: { PORT: string; SHOP_PORT: string }) {
  const child = spawn(process.execPath, ["lib/demo/main.ts", "--manual-mining"], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, ...ports },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  void ended.then(() => running.delete(child));
  await until(
    "the demo's addresses",
    () => {
      if (child.exitCode !== null) throw new Error(`the demo ended:\n${output}`);
      return output.includes("Payment page");
    },
    { withinMs: 120_000, everyMs: 100 },
  );
  const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8")) as DemoJson;
  keepSecrets(...Object.values(demo.merchant));
  return { child, ended, demo, output: () => output };
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

  second.child.kill("SIGINT");
  assert.equal(await second.ended, 0, second.output());
  for (const url of [second.demo.base_url, second.demo.shop_url, second.demo.chains.bep20!.rpc_url!]) {
    await assert.rejects(fetch(url), `${url} still answers`);
  }
});
