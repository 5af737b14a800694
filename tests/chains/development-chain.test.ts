import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import { openEvmPayer } from "#lib/dev-chains/payers/evm-payer.ts";
import { FAUCET, TEST_USDT_ABI, transferData } from "#lib/dev-chains/payers/test-usdt.ts";
import {
  deployUsdt,
  height,
  mine,
  reorg,
  rpc,
  sendEvmUsdt,
  startAnvil,
  startTestChain,
  USDT_ADDRESS,
} from "#tests/support/anvil.ts";
import { until } from "#tests/support/until.ts";

const PAYEE = "0x1111111111111111111111111111111111111111";

async function balance(url: string): Promise<bigint> {
  const data = encodeFunctionData({ abi: TEST_USDT_ABI, functionName: "balanceOf", args: [PAYEE] });
  const result = (await rpc(url, "eth_call", [{ to: USDT_ADDRESS, data }, "latest"])) as Hex;
  return decodeFunctionResult({ abi: TEST_USDT_ABI, functionName: "balanceOf", data: result });
}

test("the test token has one address on every chain and can be deployed twice", async () => {
  const node = await startAnvil();
  assert.equal(await deployUsdt(node.url), USDT_ADDRESS);
  assert.equal(await deployUsdt(node.url), USDT_ADDRESS);
  await sendEvmUsdt(node.url, PAYEE, 5n);
  // It mines by itself, but after its answer.
  await until("the payment to be mined", async () => (await balance(node.url)) === 5n);
  await node.stop();
});

test("a payment reaches an address that is emptied in the same block", async () => {
  const node = await startAnvil({ automine: false });
  await deployUsdt(node.url);
  await rpc(node.url, "anvil_impersonateAccount", [PAYEE]);
  await rpc(node.url, "anvil_setBalance", [PAYEE, "0x8ac7230489e80000"]);
  const payer = openEvmPayer({ network: "bep20", rpcUrls: [node.url] }, USDT_ADDRESS);
  const fee = "0x174876e800";
  const fees = { maxFeePerGas: fee, maxPriorityFeePerGas: fee };
  for (const pay of [sendEvmUsdt.bind(null, node.url), payer.pay]) {
    await pay(PAYEE, 5n);
    await mine(node.url);
    const held = await balance(node.url);
    await pay(PAYEE, 7n);
    const data = transferData(FAUCET.address, held);
    await rpc(node.url, "eth_sendTransaction", [{ from: PAYEE, to: USDT_ADDRESS, data, ...fees }]);
    await mine(node.url);
    assert.equal(await balance(node.url), 7n);
  }
  await node.stop();
});

test("a reorg of a shared node keeps the token, however many blocks other tests have mined there", async () => {
  for (let uses = 0; uses < 6; uses++) {
    const used = await startTestChain();
    await mine(used.url, 100);
    await used.stop();
  }
  const node = await startTestChain();
  await mine(node.url, 4);
  await reorg(node.url, 5);
  assert.equal(await balance(node.url), 0n);
  await node.stop();
});

test("a chain with a state file keeps mined and waiting payments over SIGKILL of its node", async () => {
  const statePath = join(mkdtempSync(join(tmpdir(), "anvil-")), "chain.json");
  const first = await startAnvil({ statePath, automine: false });
  await deployUsdt(first.url);
  const mined = await sendEvmUsdt(first.url, PAYEE, 5n);
  await mine(first.url);
  const head = (await rpc(first.url, "eth_getBlockByNumber", ["latest", false])) as { hash: string };
  const waiting = await sendEvmUsdt(first.url, PAYEE, 7n);
  await until("the waiting payment is on disk", async () => {
    const raw = await rpc(first.url, "eth_getRawTransactionByHash", [waiting]);
    return (
      existsSync(statePath) &&
      existsSync(`${statePath}.pool`) &&
      readFileSync(`${statePath}.pool`, "utf8").includes(String(raw)) &&
      readFileSync(statePath, "utf8").includes(head.hash)
    );
  });
  await first.kill();

  const second = await startAnvil({ statePath, automine: false });
  assert.ok(await rpc(second.url, "eth_getTransactionReceipt", [mined]), "the mined payment is still there");
  assert.equal(await balance(second.url), 5n);
  await mine(second.url);
  assert.equal(await balance(second.url), 12n);
  await second.stop();
  const third = await startAnvil({ statePath, automine: false });
  assert.equal(await balance(third.url), 12n);
  await third.stop();
});

test("uses a node again whose parent was killed, with its waiting payments", async () => {
  const statePath = join(mkdtempSync(join(tmpdir(), "anvil-")), "chain.json");
  const code = `import {startAnvil} from "#lib/dev-chains/anvil.ts"; import {deployUsdt,sendEvmUsdt} from "#lib/dev-chains/usdt.ts";
    const node = await startAnvil({ statePath: ${JSON.stringify(statePath)}, automine: false });
    await deployUsdt(node.url); await sendEvmUsdt(node.url, "${PAYEE}", 9n);
    console.log(node.pid); setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pid = Number(await new Promise((resolve) => parent.stdout.once("data", resolve)));
  parent.kill("SIGKILL");
  await new Promise((resolve) => parent.once("exit", resolve));

  const node = await startAnvil({ statePath, automine: false });
  assert.equal(node.pid, pid);
  assert.equal(await height(node.url), 2);
  await mine(node.url);
  assert.equal(await balance(node.url), 9n);
  await node.stop();
});
