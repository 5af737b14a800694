import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { AddressBook } from "#lib/chains/address-book.ts";
import { hashScript, openLiveAddresses } from "#lib/chains/electrum/address-book.ts";
import { findCertificateProblem } from "#lib/chains/electrum/certificate.ts";
import { compareWork, createChain, findCommonHeight } from "#lib/chains/electrum/header-chain.ts";
import { checkHeaders, type Header, type HeaderRules, parseHeaders } from "#lib/chains/electrum/headers.ts";
import { provesMembership } from "#lib/chains/electrum/merkle.ts";
import { parseElectrumUrl } from "#lib/chains/electrum/server-url.ts";

import { NETWORKS } from "#lib/chains/networks.ts";
import { encodeAddressScript } from "#lib/chains/utxo/address.ts";

const MAIN = [
  "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c",
  "010000006fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000982051fd1e4ba744bbbe680e1fee14677ba1a3c3540bf7b1cdb606e857233e0e61bc6649ffff001d01e36299",
].join("");
const LITECOIN_GENESIS =
  "010000000000000000000000000000000000000000000000000000000000000000000000d9ced4ed1130f7b7faad9be25323ffafa33232a17c3edf6cfd97bee6bafbdd97b9aa8e4ef0ff0f1ecd513f7c";
const NOW = new Date("2026-01-01");
const EASY: HeaderRules = { work: "sha256d", easiestBits: 0x1d00ffff };
const bytes = (hex: string) => Buffer.from(hex, "hex");
const malformed = (text: RegExp) => ({ name: "NodeError", kind: "malformed", message: text });

const { cases } = JSON.parse(
  readFileSync(new URL("../../chains/recorded/electrum-e-x-1.20.0.json", import.meta.url), "utf8"),
) as { cases: Record<string, { params: string[]; answer: { result: Record<string, never> } }> };
const recorded = (name: string) => {
  const found = cases[name];
  if (!found) throw new Error(`${name} is not recorded`);
  return found;
};

test("headers of the main chains meet their proof of work, and each other", async () => {
  const [genesis, first] = await checkHeaders(bytes(MAIN), { height: 0, parent: null }, EASY, NOW);
  assert.equal(genesis?.hash, NETWORKS.bitcoin.utxo.live.genesis);
  assert.equal(first?.parentHash, genesis.hash);
  assert.equal(first?.work, 0x1_0001_0001n);
  const scrypt = { work: "scrypt", easiestBits: 0x1e0ffff0 } as const;
  const [litecoin] = await checkHeaders(bytes(LITECOIN_GENESIS), { height: 0, parent: null }, scrypt, NOW);
  assert.equal(litecoin?.hash, NETWORKS.litecoin.utxo.live.genesis);
});

test("headers without work, of a foreign parent, of the future or of another difficulty are refused", async () => {
  const check = (
    hex: string,
    rules = EASY,
    at: { height: number; parent: Header | null } = { height: 0, parent: null },
  ) => checkHeaders(bytes(hex), at, rules, NOW);
  const [genesis, first] = parseHeaders(bytes(MAIN));
  const second = MAIN.slice(160);
  // One more in the nonce.
  await assert.rejects(check(`${second.slice(0, -2)}9a`), malformed(/no proof of work/));
  await assert.rejects(
    check(second, EASY, { height: 2, parent: first ?? null }),
    malformed(/does not follow/),
  );
  const early = checkHeaders(bytes(second), { height: 1, parent: genesis ?? null }, EASY, new Date(0));
  await assert.rejects(early, malformed(/future/));
  const { headers } = NETWORKS.bitcoin.utxo;
  await assert.rejects(check(second, headers), malformed(/too easy/));
  const harder = { ...genesis!, bits: 0x1c00ffff };
  await assert.rejects(check(second, EASY, { height: 1, parent: harder }), malformed(/another difficulty/));
  await assert.rejects(
    check(second, EASY, { height: 2016, parent: harder }),
    malformed(/another difficulty/),
  );
  await assert.rejects(check(MAIN.slice(2)), malformed(/wrong length/));
});

test("a block two hours ahead of a clock that is an hour slow is accepted: testnet4 uses up what Core allows", async () => {
  const [genesis] = parseHeaders(bytes(MAIN));
  const second = MAIN.slice(160);
  const { time } = parseHeaders(bytes(second))[0]!;
  const seen = (ahead: number) =>
    checkHeaders(
      bytes(second),
      { height: 1, parent: genesis! },
      EASY,
      new Date(time.getTime() - ahead * 1_000),
    );
  assert.equal((await seen(7_200 + 3_600)).length, 1);
  await assert.rejects(seen(7_200 + 3_601), malformed(/future/));
});

test("the chain with more work counts, not the longer one", () => {
  const header = (hash: string, work: bigint): Header => ({
    ...parseHeaders(bytes(MAIN.slice(0, 160)))[0]!,
    hash,
    work,
  });
  const shared = [header("a", 1n), header("b", 1n)];
  const long = createChain(10, [...shared, header("c", 1n), header("d", 1n)]);
  const heavy = createChain(11, [...shared.slice(1), header("e", 3n)]);
  assert.equal(findCommonHeight(long, heavy), 11);
  assert.equal(compareWork(heavy, long), 1);
  assert.equal(compareWork(long, heavy), -1);
  assert.equal(compareWork(long, createChain(10, shared)), 1);
  assert.equal(compareWork(long, long), 0);
});

test("a recorded proof holds for its transaction, place and root alone", () => {
  const { params, answer } = recorded("merkle-confirmed");
  const { merkle: branch, pos: position } = answer.result as unknown as { merkle: string[]; pos: number };
  const [, event] = [0, recorded("confirmation").answer] as unknown as [0, { params: { hex: string }[] }[]];
  const root = parseHeaders(bytes(event[0]!.params[0]!.hex))[0]!.merkleRoot;
  const txid = params[0]!;
  assert.equal(provesMembership(txid, { branch, position }, root), true);
  assert.equal(provesMembership(txid, { branch, position: position ^ 2 }, root), false);
  assert.equal(provesMembership(txid, { branch: branch.toReversed(), position }, root), false);
  assert.equal(provesMembership(branch[0]!, { branch, position }, root), false);
  assert.equal(provesMembership(txid, { branch, position: position + 4 }, root), false);
});

test("a pair of hashes that is a transaction proves nothing", () => {
  // 64 bytes: one input, one output with a script of 4 bytes.
  const transaction = bytes(
    `01000000${"01"}${"11".repeat(36)}00ffffffff${"01"}${"00".repeat(8)}${"04"}51515151${"00000000"}`,
  );
  assert.equal(transaction.length, 64);
  const shown = (part: Buffer) => Buffer.from(part).reverse().toString("hex");
  const [left, right] = [shown(transaction.subarray(0, 32)), shown(transaction.subarray(32))];
  const [{ hash: root }] = [{ hash: hashTwice(transaction) }];
  assert.equal(provesMembership(left, { branch: [right], position: 0 }, root), false);
});

function hashTwice(data: Buffer): Buffer {
  const once = (one: Buffer) => Buffer.from(hashScript(one), "hex").reverse();
  return once(once(data));
}

test("an address has the script hash that the server was recorded with", () => {
  const chain = NETWORKS.bitcoin.utxo.test.find(({ name }) => name === "regtest")!;
  const script = encodeAddressScript("bcrt1qmtgcvc8e3l5c72wzvyv2derkf9vvegn74f2ge0", chain);
  assert.equal(hashScript(script), recorded("unused-history").params[0]);
});

test("a server's URL names host and port, and is encrypted outside the private network", () => {
  const read = parseElectrumUrl;
  assert.deepEqual(read("electrum+tls://electrum.example:50002"), {
    host: "electrum.example",
    port: 50002,
    encrypted: true,
  });
  assert.equal(read("electrum+tls://[2001:db8::1]:50002")?.host, "2001:db8::1");
  for (const host of [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.9",
    "[::1]",
    "electrs",
    "node.local",
  ]) {
    assert.equal(read(`electrum+tcp://${host}:50001`)?.encrypted, false, host);
  }
  for (const host of ["electrum.example", "8.8.8.8", "172.32.0.1", "[2001:db8::1]"]) {
    assert.equal(read(`electrum+tcp://${host}:50001`), null, host);
  }
  for (const text of [
    "electrum+tls://electrum.example",
    "electrum+tls://user:pass@electrum.example:50002",
    "electrum+tls://electrum.example:50002/path",
    "https://electrum.example:50002",
  ]) {
    assert.equal(read(text), null, text);
  }
});

test("a self-signed certificate must stay, one of a public authority may be renewed", () => {
  const own = { fingerprint: "aa", byAuthority: false };
  const signed = { fingerprint: "bb", byAuthority: true };
  assert.equal(findCertificateProblem(own, own), null);
  assert.match(findCertificateProblem({ ...own, fingerprint: "cc" }, own)!, /changed from aa to cc/);
  assert.match(findCertificateProblem(signed, own)!, /changed from aa to bb/);
  assert.equal(findCertificateProblem({ ...signed, fingerprint: "dd" }, signed), null);
  assert.match(findCertificateProblem(own, signed)!, /no longer of a public authority/);
});

test("the newest addresses are live, newest first, and the others are listed in turn", async () => {
  const all = Array.from({ length: 7 }, (_, i) => ({ id: i + 1, address: `a${i + 1}` }));
  const book: AddressBook = {
    listBefore: async (id, limit) =>
      all
        .filter((one) => id === null || one.id < id)
        .toReversed()
        .slice(0, limit),
    listAfter: async (id, limit) => all.filter((one) => one.id > id).slice(0, limit),
    listPaidAbove: async () => [],
    listDue: async () => [],
    findRecordedBlocks: async () => new Map(),
    findSetAside: async () => new Set(),
  };
  const live = openLiveAddresses(book, (address) => address, 3);
  const held = () => [...live.hashes().keys()].join();
  assert.equal(await live.refresh(), true);
  assert.equal(held(), "a7,a6,a5");
  assert.equal(await live.refresh(), false);
  all.push({ id: 9, address: "a9" });
  assert.equal(await live.refresh(), true);
  assert.equal(held(), "a9,a7,a6");
  // Its transaction was committed after that of the next one.
  all.splice(-1, 0, { id: 8, address: "a8" });
  assert.deepEqual([await live.refresh(), held()], [true, "a9,a8,a7"]);
  all.push({ id: 10, address: "a10" });
  await Promise.all([live.refresh(), live.refresh()]);
  assert.equal(held(), "a10,a9,a8");
  all.pop();
  const first = await live.listOthers(null, 3);
  assert.deepEqual(
    first.map(({ id }) => id),
    [7, 6, 5],
  );
  const second = await live.listOthers(first.at(-1)!.id, 2);
  assert.deepEqual(
    second.map(({ id }) => id),
    [4, 3],
  );
});

test("an old address of a link that ends soon is live", async (t) => {
  const all = Array.from({ length: 5 }, (_, i) => ({ id: i + 1, address: `a${i + 1}` }));
  const due = [all[0]!, all[4]!];
  const book: AddressBook = {
    listBefore: async (_id, limit) => all.toReversed().slice(0, limit),
    listAfter: async (after) => all.filter(({ id }) => id > after),
    listDue: async () => due,
    listPaidAbove: async () => [],
    findRecordedBlocks: async () => new Map(),
    findSetAside: async () => new Set(),
  };
  const live = openLiveAddresses(book, (address) => address, 3);
  const start = performance.now();
  const now = t.mock.method(performance, "now", () => start);
  assert.equal(await live.refresh(), true);
  assert.deepEqual([...live.hashes().keys()], ["a1", "a5", "a4", "a3"]);
  due.push(all[1]!);
  assert.equal(await live.refresh(), false);
  // Not exactly 30 s: a sum of fractions is less precise.
  now.mock.mockImplementation(() => start + 30_001);
  assert.equal(await live.refresh(), true);
  assert.deepEqual([...live.hashes().keys()], ["a1", "a2", "a5", "a4", "a3"]);
  // The connection is lost between the two queries of a refresh.
  now.mock.mockImplementation(() => start + 60_002);
  all.push({ id: 6, address: "a6" });
  t.mock.method(book, "listDue", () => Promise.reject(new Error("no connection")), { times: 1 });
  await assert.rejects(live.refresh());
  assert.equal(await live.refresh(), true);
  assert.deepEqual([...live.hashes().keys()], ["a1", "a2", "a6", "a5", "a4"]);
});
