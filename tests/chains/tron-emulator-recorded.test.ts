import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { tronAddressToHex } from "#lib/chains/tron/address.ts";
import {
  jsonRpc,
  newAccount,
  openTestTron,
  payMany,
  payTrc10,
  payTrx,
  payUsdt,
  rebuilt,
  signedTransfer,
  signedTrx,
  type TronEmulator,
  wallet,
} from "#tests/support/tron.ts";
import { type RecordedCase, readJavaTron } from "./java-tron.ts";

/** Facts of the recorded chain: the token, ids of transactions, and the block of the first. */
const RECORDED = {
  token: "c39a0d9b923174c8d1f8d9c1ce8d23e9874321a7",
  tokenBase58: "TToTKGRknpjfncS9ajuTcgP4xebtAjUv9R",
  waitingToken: "f465d4c0c6d4453e370f9a4638771ef1be3667fd",
  block: "00000000000000f7c58bba02978472edc0b8d478e342e861d85b3a5fcafa850b",
  ids: {
    usdt: "c47b42496e3c267d2f1e6e4597ab3236b5ae8d4a1b845b1d15a8dd66d13a309c",
    trx: "d2222276b77edf98344cfe6b330bc71e7f635aec5727a4dd645251c1f984deeb",
    trc10: "0e684fea8810e1c477935598256d5f7747e02f5a2cb95f1295bf603447dc3fae",
    revert: "799c58fdb94ad929a7d3bfcc57b996796e5d4fb1f0219f39130b56c08be67949",
    ooe: "1594aa3d7284878dd696aa4ac9a976d88f8804edbc63d720ec12faf120b914f9",
    many: "84639efb6c94aadb79daada8d207a3c7d89842c083c3d6a820cdcbb88e04f5f0",
  },
  waiting: {
    trx: "dc80567778cb021449811b74949ede1ed94f4fa78c223ffb226bfbff8657303f",
    usdt: "673fbc204de0639547958b92b8bf9b582db97719ef514109d237c53616adc858",
    trc10: "c49b3634b346322edb5c7a0264f51d9bcc14578da7cfc2a1f0ff4a2f1e6a66c1",
  },
  /** Its TRX waits. */
  receiver: "TSysnxTKk44kFuiUYtHFzYq9vsmbxHAJmG",
  /** Holds less TRX than it tries to send. */
  poor: "TFuVHPDxWMznJYtP2sswfphZU2gJUZMpdu",
};

/** The emulator's own, with the reasons of docs/chains.md. */
const OWN: readonly (readonly [difference: RegExp, reason: string])[] = [
  [/\.(fee|packingFee|net_fee|energy_fee|net_usage|energy_usage_total): /, "no one pays for resources"],
  [/^(waiting )?getaccount.*: only java-tron$/, "accounts have a balance and nothing else"],
  [/^getblockbynum-(genesis|nothing)\.transactions: /, "the first block is empty"],
  [/^web3_clientVersion\./, "it says what it is"],
  [/^getblockbynum-huge\.Error: /, "numbers of JSON above 2^53 are rounded"],
  [/^unknown-call: /, "the page around java-tron's HTML"],
];

/** Cases that are asked with a transaction signed for this chain, or elsewhere. */
const APART = /^(broadcast-|limit |receipt-|info-|byid-|byHash-)|-big$/;

test("the emulator answers as java-tron 4.8.0 does, in shape and in text", async (t) => {
  const { emulator, translate } = await scene(t);
  const cases = readJavaTron(translate);
  const found: string[] = [];
  for (const [name, recorded] of Object.entries(cases)) {
    if (APART.test(name)) continue;
    const { status, answer } = await ask(emulator, recorded);
    if (status !== recorded.status) found.push(`${name}: HTTP ${recorded.status} | ${status}`);
    found.push(...differences(name, recorded.answer, answer));
  }
  const unexpected = found.filter((line) => !OWN.some(([own]) => own.test(line)));
  assert.deepEqual(unexpected, []);
  for (const [own, reason] of OWN)
    assert.ok(
      found.some((line) => own.test(line)),
      `no longer: ${reason}`,
    );
});

test("the emulator answers a broadcast as java-tron 4.8.0 does, in shape and in text", async (t) => {
  const emulator = await openTestTron(t);
  const good = await signedTransfer(emulator, newAccount().address, 1);
  const pay = () => signedTrx(emulator, newAccount().address, 1);
  const change = async (to: (raw: Parameters<Parameters<typeof rebuilt>[2]>[0]) => void) =>
    rebuilt(emulator, await pay(), to);
  const poor = newAccount();
  await payTrx(emulator, poor.address, 1);
  const from = (key: string) =>
    signedTrx(emulator, emulator.faucet.address, 999_000_000, wallet(emulator, key));
  const stranger = newAccount();
  const sent: readonly (readonly [name: string, transaction: unknown])[] = [
    ["broadcast-bad-signature", { ...good, signature: ["00".repeat(65)] }],
    ["broadcast-ok", good],
    ["broadcast-duplicate", good],
    ["broadcast-empty", {}],
    ["broadcast-expired", await change((raw) => Object.assign(raw, { expiration: 1_600_000_000_000 }))],
    ["broadcast-too-far-ahead", await change((raw) => Object.assign(raw, { expiration: Date.now() + 2e8 }))],
    [
      "broadcast-wrong-ref-block",
      await change((raw) => Object.assign(raw, { ref_block_hash: "00".repeat(8) })),
    ],
    [
      "broadcast-trx-zero",
      await change((raw) => Object.assign(raw.contract[0].parameter.value, { amount: 0 })),
    ],
    ["broadcast-no-signature", { ...(await pay()), signature: undefined }],
    ["broadcast-no-account", await from(stranger.privateKey)],
    ["broadcast-trx-too-little-balance", await from(poor.privateKey)],
  ];
  for (const [name, transaction] of sent) {
    const recorded = readJavaTron()[name]!;
    const { answer } = await ask(emulator, {
      ...recorded,
      request: { ...recorded.request, body: transaction },
    });
    const written = withText(answer, stranger.address);
    assert.deepEqual(differences(name, withText(recorded.answer, ""), written), []);
  }
});

/** A chain with the recorded kinds of transactions, some waiting. */
async function scene(t: TestContext) {
  const emulator = await openTestTron(t);
  const { address } = newAccount();
  await emulator.mine(260);
  await payTrx(emulator, RECORDED.poor, 1_000);
  await emulator.mine();
  const poor = newAccount();
  const usdt = await payUsdt(emulator, address, 1_500_000);
  await emulator.mine();
  const height = Number((await jsonRpc(emulator, "eth_blockNumber", [])).result);
  const contract = await wallet(emulator).contract().at(emulator.usdt);
  const ids = {
    usdt,
    trx: await payTrx(emulator, address, 5),
    trc10: await payTrc10(emulator, address, 6),
    revert: await payUsdt(emulator, address, 1, wallet(emulator, poor.privateKey)),
    ooe: await contract.transfer!(address, 1).send({ feeLimit: 1_000 }),
    many: await payMany(emulator, [address, poor.address], 3),
  };
  await emulator.mine(4);
  const waiting = {
    trx: await payTrx(emulator, RECORDED.receiver, 5_000_000),
    usdt: await payUsdt(emulator, RECORDED.receiver, 1_000_000),
    trc10: await payTrc10(emulator, RECORDED.receiver, 7),
  };
  const block = (await wallet(emulator).trx.getBlockByNumber(height)).blockID;
  const token = tronAddressToHex(emulator.usdt).slice(2);
  const pairs: [from: string, to: string][] = [
    [RECORDED.token, token],
    [RECORDED.tokenBase58, emulator.usdt],
    [RECORDED.waitingToken, token],
    [RECORDED.block, block],
    ...["0xf7", "0x73"].map((at): [string, string] => [`"${at}"`, `"0x${height.toString(16)}"`]),
    ...["247", "115"].map((at): [string, string] => [`"num":${at}`, `"num":${height}`]),
    // Not solidified.
    ['"num":251', `"num":${height + 5}`],
    ...Object.entries(ids).map(([kind, id]): [string, string] => [RECORDED.ids[kind as "trx"], id]),
    ...Object.entries(waiting).map(([kind, id]): [string, string] => [RECORDED.waiting[kind as "trx"], id]),
  ];
  const translate = (text: string) => pairs.reduce((done, [from, to]) => done.replaceAll(from, to), text);
  return { emulator, translate };
}

async function ask(emulator: TronEmulator, { request }: RecordedCase) {
  const response = await fetch(emulator.url + request.path, {
    method: "POST",
    body: request.raw ?? (request.body === undefined ? "" : JSON.stringify(request.body)),
  });
  const text = await response.text();
  const isJson = text.startsWith("{") || text.startsWith("[");
  return { status: response.status, answer: isJson ? (JSON.parse(text) as unknown) : text };
}

/** A broadcast's answer with its message as text, without the address that it names. */
function withText(answer: unknown, address: string): unknown {
  const { message } = answer as { message?: string };
  if (message === undefined) return answer;
  const text = Buffer.from(message, "hex")
    .toString()
    .replace(address || /T\w{33}/, "ADDRESS");
  return { ...(answer as object), message: text };
}

/** How an answer differs from java-tron's: fields, kinds of values, texts. Lists are compared by their first. */
function differences(at: string, expected: unknown, actual: unknown): string[] {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const isContent = expected.length === 0 || actual.length === 0;
    return isContent ? [] : differences(`${at}[0]`, expected[0], actual[0]);
  }
  if (!isObject(expected) || !isObject(actual)) {
    const [mine, theirs] = [kindOf(actual), kindOf(expected)];
    return mine === theirs ? [] : [`${at}: ${theirs} | ${mine}`];
  }
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
  return names.flatMap((name) => {
    if (!(name in actual)) return [`${at}.${name}: only java-tron`];
    if (!(name in expected)) return [`${at}.${name}: only emulator`];
    return differences(`${at}.${name}`, expected[name], actual[name]);
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Numbers and data by their form, anything else as it is. */
function kindOf(value: unknown): string {
  if (typeof value === "number") return value < 0 ? String(value) : "number";
  if (typeof value !== "string") return Array.isArray(value) ? "list" : String(value);
  if (value === "" || value === "0x") return JSON.stringify(value);
  if (value.startsWith("0x")) return "0x…";
  if (/^[0-9a-f]+$/.test(value)) return "hex";
  return /^T\w{33}$/.test(value) ? "address" : value;
}
