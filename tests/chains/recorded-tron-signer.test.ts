/** The signer's questions to java-tron, with recorded answers, and the emulator's answers to them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { openNodeClient } from "#lib/chains/node-client.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { openRpcClient } from "#lib/chains/rpc-client.ts";
import { tronAddressToHex } from "#lib/chains/tron/address.ts";
import {
  broadcastRaw,
  fetchAccount,
  fetchDelegable,
  fetchDelegated,
  fetchPrices,
} from "#lib/chains/tron/sending.ts";
import { openTestTron, post, rebuilt, signedTransfer } from "#tests/support/tron.ts";
import type { RecordedCase } from "./java-tron.ts";
import { startReplayNode } from "./replay-node.ts";

const CASES = JSON.parse(
  readFileSync(new URL("recorded/java-tron-4.8.0-signer.json", import.meta.url), "utf8"),
) as Readonly<Record<string, RecordedCase>>;
const OWNER = "TTRQbhDHSWPLZnQR4gPZYz2xa7xF1uHXro";
const NOBODY = "TGLFr4gtvgvqHs2LJ1F7UsxNgfs88phqac";
const RECEIVER = "TSKtU55GykVdhUCgZ2c7r2f1B1Xfm5VsxW";

type Refusal = Readonly<Record<"code" | "message", string>>;
const answerOf = (name: string) => CASES[name]!.answer as Refusal;

/** A node that answers these cases. Where two have one request, the last counts. */
async function open(t: TestContext, ...names: readonly string[]) {
  const balances = [OWNER, NOBODY].map((address) => ({
    path: "/jsonrpc",
    body: { method: "eth_getBalance", params: [tronAddressToHex(address), "latest"] },
    answer: { result: "0x0" },
  }));
  const recorded = names.map((name) => {
    const { request, status, answer } = CASES[name]!;
    return { path: request.path, body: request.body, status, answer };
  });
  const replay = await startReplayNode([...recorded, ...balances]);
  t.after(async () => {
    await replay.close();
    assert.deepEqual(replay.unknown, []);
  });
  const line = openNodeClient(`${replay.url}/jsonrpc`, { timeoutMs: 5_000 });
  return { line, client: openRpcClient(line) };
}

test("reads java-tron's accounts, whose empty sums are absent", async (t) => {
  const account = await fetchAccount(await open(t, "getaccountresource"), OWNER);
  assert.deepEqual(
    [account.exists, account.freeBandwidth, account.ownBandwidth, account.energy],
    [true, 600n, 0n, 0n],
  );
  assert.equal(account.energyPerTrx.weight, 19_000_020_000n);
  const none = await fetchAccount(await open(t, "getaccountresource, none"), NOBODY);
  assert.deepEqual([none.exists, none.energyPerTrx.weight], [false, 0n]);
});

test("reads java-tron's stakes, delegations and prices", async (t) => {
  assert.equal(await fetchDelegable(await open(t, "getcandelegatedmaxsize, staked"), OWNER), 20_000_000_000n);
  assert.equal(await fetchDelegable(await open(t, "getcandelegatedmaxsize, none"), NOBODY), 0n);
  assert.equal(
    await fetchDelegated(await open(t, "getdelegatedresourcev2"), OWNER, RECEIVER),
    5_000_000_000n,
  );
  assert.equal(await fetchDelegated(await open(t, "getdelegatedresourcev2, none"), OWNER, NOBODY), 0n);
  assert.equal((await fetchPrices(await open(t, "getchainparameters"))).maxFeeLimit, 15_000_000_000n);
});

test("takes java-tron's refusals of a broadcast for what they are", async (t) => {
  const names = Object.keys(CASES).filter((name) => name.startsWith("broadcasthex, "));
  assert.ok(names.length > 15);
  for (const name of names) {
    const { body } = CASES[name]!.request as { body: { transaction: string } };
    const node = await open(t, name);
    const { code } = answerOf(name);
    if (code === "SUCCESS" || code === "DUP_TRANSACTION_ERROR") await broadcastRaw(node, body.transaction);
    else await assert.rejects(broadcastRaw(node, body.transaction), NodeError, name);
  }
});

test("the emulator refuses and simulates as java-tron does", async (t) => {
  const emulator = await openTestTron(t);
  const signed = await rebuilt(emulator, await signedTransfer(emulator, RECEIVER, 1), (raw) => {
    raw.fee_limit = 16_000_000_000;
  });
  const hex = `0a${(signed.raw_data_hex.length / 2).toString(16)}`;
  const length = signed.raw_data_hex.length / 2;
  const varint = length < 128 ? hex : `0a${((length & 127) | 128).toString(16)}0${length >> 7}`;
  const transaction = `${varint}${signed.raw_data_hex}1241${signed.signature[0]}`;
  const refused = (await post(`${emulator.url}/wallet/broadcasthex`, { transaction })) as object;
  const recorded = CASES["broadcasthex, fee limit above the most"]!.answer as object;
  assert.deepEqual(Object.keys(refused).sort(), Object.keys(recorded).sort());
  const { code, message } = answerOf("broadcasthex, fee limit above the most");
  assert.partialDeepStrictEqual(refused, { result: false, code, message });
  assert.deepEqual(
    await post(`${emulator.url}/wallet/broadcasthex`, { transaction: "" }),
    CASES["broadcasthex, empty"]!.answer,
  );

  const data = `a9059cbb${tronAddressToHex(RECEIVER).slice(2).padStart(64, "0")}${"1".padStart(64, "0")}`;
  const call = {
    owner_address: emulator.faucet.address,
    contract_address: emulator.usdt,
    data,
    visible: true,
  };
  const simulated = (await post(`${emulator.url}/wallet/triggerconstantcontract`, call)) as {
    logs: { topics: string[]; data: string }[];
  };
  const [log] = (CASES["triggerconstantcontract, new receiver"]!.answer as typeof simulated).logs;
  assert.deepEqual(Object.keys(simulated.logs[0]!).sort(), Object.keys(log!).sort());
  assert.equal(simulated.logs[0]!.topics[0], log!.topics[0]);
  const none = { ...call, contract_address: NOBODY };
  assert.deepEqual(
    await post(`${emulator.url}/wallet/triggerconstantcontract`, none),
    CASES["triggerconstantcontract, no contract"]!.answer,
  );
});
