import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { JournalError, openJournal, readJournal } from "#lib/signer/journal.ts";
import type { JournalEntry } from "#lib/signer/types.ts";

const AT = new Date("2026-11-25T10:00:00.000Z");

function aFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "paylink-journal-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, "journal.jsonl");
}

const anEntry = (hash: string, refids: readonly string[]): JournalEntry => ({
  at: AT,
  kind: "payout",
  env: "test",
  network: "bitcoin",
  payouts: refids.map((refid) => ({
    env: "test",
    network: "bitcoin",
    refid,
    merchantId: 1,
    token: "btc",
    amount: 10n ** 20n,
    to: `to-${refid}`,
  })),
  moves: [{ token: "btc", amount: 5n, from: "one", to: "other" }],
  spends: [`${hash}:0`],
  expires: 7,
  hash,
  raw: "00",
});

test("keeps what was signed and what the chain has decided, also for the next start", (t) => {
  const path = aFile(t);
  const [first, second] = [anEntry("aa", ["1", "2"]), anEntry("bb", ["2"])];
  const journal = openJournal(path);
  journal.append(first);
  journal.append(second);
  journal.settle(first, "dead", AT);
  journal.close();
  for (const opened of [journal, openJournal(path)]) {
    assert.deepEqual(opened.entries, [first, second]);
    assert.deepEqual([opened.outcomeOf("aa"), opened.outcomeOf("bb")], ["dead", null]);
    assert.deepEqual(opened.listLive("test.bitcoin"), [second]);
    assert.deepEqual(opened.listOpen("test.bitcoin"), [second]);
    assert.deepEqual(opened.listOfWithdrawal({ env: "test", refid: "2" }), [first, second]);
    assert.deepEqual(opened.listOfWithdrawal({ env: "live", refid: "2" }), []);
  }
});

test("reads the lines of the first version", (t) => {
  const path = aFile(t);
  writeFileSync(
    path,
    `{"v":1,"at":"2026-11-25T10:00:00.000Z","amount":"5","env":"test","network":"bep20","refid":"8","merchantId":3,"token":"usdt",
    "to":"0x01","kind":"cancel","sender":"0x02","nonce":4,"hash":"0x03","raw":"0x04"}`.replace("\n    ", "") +
      "\n",
  );
  const [entry] = openJournal(path).entries;
  assert.deepEqual(entry, {
    at: AT,
    kind: "cancel",
    env: "test",
    network: "bep20",
    payouts: [
      { env: "test", network: "bep20", refid: "8", merchantId: 3, token: "usdt", amount: 5n, to: "0x01" },
    ],
    moves: [],
    spends: ["0x02:4"],
    expires: null,
    hash: "0x03",
    raw: "0x04",
  });
});

test("uses a journal without a last line that was cut, and no damaged one", (t) => {
  const path = aFile(t);
  const journal = openJournal(path);
  journal.append(anEntry("aa", ["1"]));
  journal.settle(anEntry("aa", []), "final", AT);
  const whole = readFileSync(path, "utf8");
  for (const line of whole.split("\n").slice(0, -1))
    for (const length of [1, line.length]) {
      appendFileSync(path, line.slice(0, length));
      assert.equal(openJournal(path).entries.length, 1);
      assert.equal(readFileSync(path, "utf8"), whole);
    }
  for (const damaged of [
    whole.replace("payout", "payo"),
    whole.replace('"final"', '"gone"'),
    `\n${whole}`,
    `${whole}{}\n`,
  ]) {
    writeFileSync(path, damaged);
    assert.throws(() => openJournal(path), JournalError);
  }
});

test("who only reads changes nothing, also while a line is being written", (t) => {
  const path = aFile(t);
  assert.deepEqual(readJournal(path).entries, []);
  assert.ok(!existsSync(path));
  const journal = openJournal(path);
  journal.append(anEntry("aa", ["1"]));
  const before = readFileSync(path, "utf8");
  appendFileSync(path, before.slice(0, 20));
  assert.deepEqual(readJournal(path).entries, [anEntry("aa", ["1"])]);
  assert.equal(readFileSync(path, "utf8"), before + before.slice(0, 20));
  appendFileSync(path, "damaged\n");
  assert.throws(() => readJournal(path), JournalError);
});

test("reads a journal of many parts, and lines that are longer than a part", (t) => {
  const path = aFile(t);
  const journal = openJournal(path);
  const entries = Array.from({ length: 300 }, (_, n) => ({
    ...anEntry(`h${n}`, [`${n}é`]),
    raw: "ab".repeat(n === 100 ? 100_000 : 500),
  }));
  for (const entry of entries) journal.append(entry);
  journal.close();
  for (const opened of [openJournal(path), readJournal(path)]) assert.deepEqual(opened.entries, entries);
});

test("a journal that another process writes, or that is removed, is written no more", (t) => {
  const path = aFile(t);
  const [first, second] = [openJournal(path), openJournal(path)];
  first.append(anEntry("aa", ["1"]));
  assert.throws(() => second.append(anEntry("bb", ["1"])), /changed or removed/);
  assert.deepEqual(second.entries, []);
  assert.deepEqual(readJournal(path).entries, [anEntry("aa", ["1"])]);
  first.append(anEntry("cc", ["2"]));
  rmSync(path);
  assert.throws(() => first.append(anEntry("dd", ["3"])), /changed or removed/);
});

test("a disk that is full refuses the entry, and leaves whole lines alone", (t) => {
  const path = aFile(t);
  const program = `
    import { openJournal } from "#lib/signer/journal.ts";
    const entry = ${JSON.stringify({ ...anEntry("aa", []), payouts: [], moves: [] })};
    const journal = openJournal(process.argv[1]);
    for (let n = 0; ; n++) {
      try { journal.append({ ...entry, at: new Date(entry.at), hash: String(n) }); }
      catch (error) { console.log(error.constructor.name, journal.entries.length, error.message); break; }
    }
    journal.close();
  `;
  // The file may grow to 4 KiB. The write that would exceed it writes a part.
  const said = execFileSync(
    "bash",
    ["-c", 'ulimit -f 4; exec "$@"', "bash", process.execPath, "--input-type=module", "-e", program, path],
    { encoding: "utf8", cwd: join(import.meta.dirname, "../../..") },
  );
  const count = Number(/^JournalError ([0-9]+) the journal cannot be written/.exec(said)?.[1]);
  assert.ok(count > 5, said);
  assert.equal(readFileSync(path, "utf8").split("\n").length - 1, count);
  const journal = openJournal(path);
  assert.equal(journal.entries.length, count);
  journal.append(anEntry("bb", ["1"]));
  assert.equal(openJournal(path).entries.length, count + 1, "it continues once there is room");
});

test("a line that could not be read again is not written, and the journal goes further without it", (t) => {
  const path = aFile(t);
  const journal = openJournal(path);
  for (const wrong of [
    { at: new Date("+012345-01-01T00:00:00Z") },
    { at: new Date(Number.NaN) },
    { expires: 1.5 },
    { expires: 2 ** 60 },
    { fee: -1n },
  ])
    assert.throws(
      () => journal.append({ ...anEntry("aa", ["1"]), ...wrong }),
      (error) => !(error instanceof JournalError),
    );
  assert.throws(() => journal.settle(anEntry("aa", []), "final", new Date("+012345-01-01T00:00:00Z")));
  journal.append({ ...anEntry("bb", ["2"]), fee: 141n });
  journal.settle(anEntry("bb", []), "failed", AT);
  journal.close();
  const opened = openJournal(path);
  assert.deepEqual(opened.entries, [{ ...anEntry("bb", ["2"]), fee: 141n }]);
  assert.deepEqual([opened.outcomeOf("bb"), opened.listLive("test.bitcoin").length], ["failed", 1]);
});
