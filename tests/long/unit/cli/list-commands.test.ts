/** The lists and records that an operator looks up: links, deposits, withdrawals' decisions. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eq } from "drizzle-orm";
import { attention } from "#lib/domain/attention/tables.ts";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { quotes } from "#lib/domain/payment-links/tables.ts";
import { type CliRun, runCli } from "#tests/support/run-cli.ts";
import { START } from "#tests/unit/domain/payment-links/facts.ts";
import { aWorld, usdt, type World } from "#tests/unit/domain/payment-links/world.ts";

const EMAIL = "shop@example.com";
const ESCAPE = "\u001b[2J\u009b2J\u202e";
let world: World;
const refids: string[] = [];
let depositId = 0;
let txHash = "";

before(async () => {
  world = await aWorld();
  refids.push((await world.create({ paymentReference: "FIRST1" })).refid);
  refids.push((await world.create({ paymentReference: "SECOND2" })).refid);
  refids.push((await world.createPicked({ paymentReference: "THIRD3" })).refid);
  depositId = await world.pay(refids[2]!, { amount: usdt("40"), status: 1 });
  const [row] = await world.db
    .update(deposits)
    .set({ extra: ESCAPE })
    .where(eq(deposits.id, depositId))
    .returning();
  txHash = row!.txHash;
});
after(() => world.close());

const cli = (...args: string[]) =>
  runCli(
    {
      DATABASE_URL: world.url,
      PAYMENT_URL: "https://pay.example.com",
      USER: "ada",
      TEST_BEP20_RPC_URL: "http://127.0.0.1:1",
      TEST_BEP20_XPUB: world.adapter.accountKey,
    },
    ...args,
  );
type Row = Record<string, unknown>;
function answer<T = Row>(run: CliRun): T {
  assert.equal(run.status, 0, run.stderr);
  return run.json() as T;
}
function refused(run: CliRun, message: string): void {
  assert.deepEqual(
    { status: run.status, stdout: run.stdout, stderr: run.stderr },
    { status: 1, stdout: "", stderr: `${message}\n` },
  );
}
const list = (...args: string[]) => answer<Row[]>(cli("link", "list", "--env", "test", ...args));
const refidsOf = (rows: readonly Row[]) => rows.map(({ refid }) => refid);

test("link list lists the links of an environment, newest first, by merchant, state and reference", () => {
  const rows = list();
  assert.deepEqual(refidsOf(rows), refids.toReversed());
  assert.deepEqual(rows[2], {
    env: "test",
    refid: refids[0],
    payment_reference: "FIRST1",
    payment_link: `https://pay.example.com/${refids[0]}`,
    merchant: EMAIL,
    state: "open",
    reason: null,
    late: false,
    amount_required: "100",
    amount_currency: "usd",
    expires_at: "2030-01-01T12:00:00Z",
    customer: "ada@example.com",
    created_at: rows[2]!.created_at,
    completed_at: null,
  });
  assert.deepEqual(refidsOf(list("--state", "partial")), [refids[2]]);
  assert.deepEqual(refidsOf(list("--reference", "SECOND2", "--merchant", EMAIL)), [refids[1]]);
  assert.deepEqual(answer(cli("link", "list")), []);
  refused(
    cli("link", "list", "--merchant", "nobody@example.com"),
    "no merchant has this e-mail address: see `merchant list`",
  );
});

test("a full page says how to get the next one", () => {
  const first = cli("link", "list", "--env", "test", "--limit", "2");
  assert.deepEqual(refidsOf(first.json() as Row[]), [refids[2], refids[1]]);
  assert.equal(first.stderr, `there may be more: --before ${refids[1]}\n`);
  assert.deepEqual(refidsOf(list("--limit", "2", "--before", refids[1]!)), [refids[0]]);
  for (const limit of ["0", "501", "x"]) assert.equal(cli("link", "list", "--limit", limit).status, 2);
});

test("a list is a table on request, and no text of others controls the terminal", async () => {
  const run = cli("link", "list", "--env", "test", "--table", "--state", "partial");
  assert.deepEqual(
    run.stdout.split("\n").map((line) => line.split(/ {2,}/)),
    [
      [
        ...["refid", "merchant", "state", "amount_required", "amount_currency"],
        ...["payment_reference", "customer", "created_at", "expires_at"],
      ],
      [
        ...[refids[2]!, EMAIL, "partial", "100", "usd", "THIRD3", "ada@example.com"],
        ...[
          (list("--state", "partial")[0]!.created_at as string).replace(/\.\d+Z/, "Z"),
          "2030-01-01T12:00:00Z",
        ],
      ],
      [""],
    ],
  );
  const entry = { actor: "operator:eve", action: "test.table", subject: "x:1", details: { name: ESCAPE } };
  await world.db.insert(auditLog).values({ ...entry, at: START });
  const table = cli("audit", "list", "--table", "--actor", "operator:eve").stdout;
  assert.match(table, /name=\?\[2J/);
  assert.equal(table.includes("\u001b"), false);
  assert.equal(cli("audit", "list", "--table", "--json").status, 2);
});

test("attention list shows what is set aside in the order of the subjects, page by page", async () => {
  const row = { reason: "Error: broken", attempts: 2, retryAt: START, height: null };
  const subjects = ["deposit:7", "link:abc", "withdrawal:9"];
  await world.db.insert(attention).values(subjects.map((subject) => ({ ...row, subject, createdAt: START })));
  const first = answer<Row[]>(cli("attention", "list", "--limit", "2"));
  const at = START.toISOString();
  assert.deepEqual(first, [
    { subject: "deposit:7", reason: row.reason, attempts: 2, since: at, retry_at: at, height: null },
    { subject: "link:abc", reason: row.reason, attempts: 2, since: at, retry_at: at, height: null },
  ]);
  const rest = answer<Row[]>(cli("attention", "list", "--after", "link:abc"));
  assert.deepEqual(
    rest.map(({ subject }) => subject),
    ["withdrawal:9"],
  );
});

test("JSON keeps the texts of others, and they do not control the terminal", () => {
  const { stdout } = cli("deposits", "show", String(depositId));
  assert.equal((JSON.parse(stdout) as Row).extra, ESCAPE);
  assert.equal(stdout.replaceAll(/[\n -~]/g, ""), "");
});

test("link show finds a link in either environment, writes nothing, and refuses an unknown one", async () => {
  const before = await world.db.$count(quotes);
  const link = answer(cli("link", "show", refids[2]!));
  assert.equal(await world.db.$count(quotes), before);
  const { address } = (await world.view(refids[2]!, START)).wallets[0]!;
  assert.partialDeepStrictEqual(link, {
    env: "test",
    refid: refids[2],
    merchant: EMAIL,
    state: "partial",
    customer: { email: "ada@example.com", first_name: "Ada" },
    metadata: '{"cart": 7,  "n": 1.50}',
    addresses: [{ network: "bep20", token: "usdt", address }],
    quotes: [{ network: "bep20", token: "usdt", amount: "100", rate: "1" }],
    payments: [{ tx_hash: txHash, amount: "40", worth: "0.4", status: 1, address }],
    remaining: [{ network: "bep20", token: "usdt", amount: "60" }],
  });
  refused(cli("link", "show", "1111"), "no payment link has this reference: see `link list`");
});

test("link cancel ends an unpaid link and shows it, and refuses one that was paid", () => {
  refused(
    cli("link", "cancel", refids[2]!),
    "money was seen for the payment link, or it has ended: only `open` and `awaiting` links can be canceled",
  );
  const unpaid = list("--state", "awaiting").at(-1) ?? list("--state", "open").at(-1);
  const canceled = answer<Row>(cli("link", "cancel", String(unpaid?.refid)));
  assert.partialDeepStrictEqual(canceled, { refid: unpaid?.refid, state: "expired", reason: "canceled" });
});

test("deposits list and show find a deposit by merchant, status, id and transaction hash", () => {
  const rows = answer<Row[]>(cli("deposits", "list", "--env", "test", "--merchant", EMAIL));
  assert.equal(rows.length, 1);
  assert.partialDeepStrictEqual(rows[0], {
    id: depositId,
    env: "test",
    network: "bep20",
    token: "usdt",
    amount: "40",
    status: "credited",
    merchant: EMAIL,
    refid: refids[2],
    unmatched_reason: null,
    path: "m/44'/60'/0'/0/0",
    tx_hash: txHash,
  });
  const ids = (...args: string[]) =>
    answer<Row[]>(cli("deposits", "list", "--env", "test", ...args)).map(({ id }) => id);
  assert.deepEqual(ids(), [depositId]);
  assert.deepEqual(ids("--status", "seen"), []);
  assert.deepEqual(ids("--before", String(depositId)), []);
  assert.deepEqual(answer(cli("deposits", "list")), []);
  assert.deepEqual(answer(cli("deposits", "show", String(depositId))), rows[0]);
  assert.deepEqual(answer(cli("deposits", "show", txHash.toUpperCase().replace("0X", ""))), rows);
  for (const unknown of ["999999", `0x${"9".repeat(64)}`, "rubbish"]) {
    refused(
      cli("deposits", "show", unknown),
      "no deposit has this id or transaction hash: see `deposits list`; unknown tokens are in `deposits unmatched`",
    );
  }
});

test("webhook deliveries of a link need only its reference", () => {
  const made = cli("webhook", "deliveries", "--refid", refids[2]!);
  assert.deepEqual(answer(made), []);
  refused(
    cli("webhook", "deliveries", "--refid", "1111"),
    "no payment link or withdrawal has this reference: see `link list` and `withdrawal list`",
  );
  assert.equal(cli("webhook", "deliveries").status, 2);
});

test("audit list lists decisions, newest first, by person, action and object", async () => {
  const entry = (n: number) => ({
    at: START,
    actor: n === 3 ? "operator:bob" : "operator:ada",
    action: "deposit.resolve",
    subject: `deposit:${n}`,
    details: { merchant: EMAIL },
  });
  await world.db.insert(auditLog).values([1, 2, 3].map(entry));
  const subjects = (...args: string[]) =>
    answer<Row[]>(cli("audit", "list", "--action", "deposit.resolve", ...args)).map(({ subject }) => subject);
  assert.deepEqual(subjects(), ["deposit:3", "deposit:2", "deposit:1"]);
  assert.deepEqual(subjects("--actor", "operator:bob"), ["deposit:3"]);
  assert.deepEqual(subjects("--subject", "deposit:2"), ["deposit:2"]);
  const [row] = answer<Row[]>(cli("audit", "list", "--subject", "deposit:1"));
  assert.deepEqual(row, { id: row!.id, ...entry(1), ip: null, at: START.toISOString() });
  assert.deepEqual(subjects("--before", String(row!.id)), []);
});
