/** The lists and records that an operator looks up: links, deposits, withdrawals' decisions. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eq } from "drizzle-orm";
import { attention } from "#lib/domain/attention/tables.ts";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { deposits } from "#lib/domain/deposits/tables.ts";
import { quotes } from "#lib/domain/payment-links/tables.ts";
import { openTestCli, type Row } from "#tests/support/run-cli.ts";
import { START } from "#tests/unit/domain/payment-links/facts.ts";
import { aWorld, usdt, type World } from "#tests/unit/domain/payment-links/world.ts";

const EMAIL = "shop@example.com";
const AT = START.toISOString();
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
  depositId = await world.pay(refids[2]!, { amount: usdt("40"), status: "credited" });
  const [row] = await world.db
    .update(deposits)
    .set({ extra: ESCAPE })
    .where(eq(deposits.id, depositId))
    .returning();
  txHash = row!.txHash;
});
after(() => world.close());

const variables = () => ({
  DATABASE_URL: world.url,
  PAYMENT_URL: "https://pay.example.com",
  USER: "ada",
  TEST_BEP20_RPC_URL: "http://127.0.0.1:1",
  TEST_BEP20_XPUB: world.adapter.accountKey,
});
const cli = openTestCli(variables);
/** One field of each row of a list. */
const column = async (name: string, line: string) => (await cli.answer<Row[]>(line)).map((row) => row[name]);
const links = (options: string) => column("refid", `link list --env test ${options}`);

test("link list lists the links of an environment, newest first, by merchant, state and reference", async () => {
  const rows = await cli.answer<Row[]>("link list --env test");
  assert.deepEqual(
    rows.map(({ refid }) => refid),
    refids.toReversed(),
  );
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
  assert.deepEqual(await links("--state partial"), [refids[2]]);
  assert.deepEqual(await links(`--reference SECOND2 --merchant ${EMAIL}`), [refids[1]]);
  assert.deepEqual(await cli.answer("link list"), []);
  await cli.refuses({
    "link list --merchant nobody@example.com": "no merchant has this e-mail address: see `merchant list`",
  });
});

test("a full page says how to get the next one", async () => {
  const first = await cli.run("link list --env test --limit 2");
  assert.deepEqual(
    (first.json() as Row[]).map(({ refid }) => refid),
    [refids[2], refids[1]],
  );
  assert.equal(first.stderr, `there are more: --before ${refids[1]}\n`);
  assert.deepEqual(await links(`--limit 2 --before ${refids[1]}`), [refids[0]]);
  await cli.misuses(/must be/, "link list --limit 0", "link list --limit 501", "link list --limit x");
});

test("a list is a table on request and on a terminal, and no text of others controls the terminal", async () => {
  const line = "link list --env test --state partial";
  const [createdAt] = (await column("created_at", line)) as string[];
  const { stdout } = await cli.run(`${line} --table`);
  assert.deepEqual(
    stdout.split("\n").map((row) => row.split(/ {2,}/)),
    [
      [
        ...["refid", "merchant", "state", "amount_required", "amount_currency"],
        ...["payment_reference", "customer", "created_at", "expires_at"],
      ],
      [
        ...[refids[2]!, EMAIL, "partial", "100", "usd", "THIRD3", "ada@example.com"],
        ...[createdAt!.replace(/\.\d+Z/, "Z"), "2030-01-01T12:00:00Z"],
      ],
      [""],
    ],
  );
  const terminal = openTestCli(variables, { isTTY: true });
  assert.equal((await terminal.run(line)).stdout, stdout);
  assert.deepEqual(await terminal.answer(`${line} --json`), await cli.answer(line));
  const entry = { actor: "operator:eve", action: "test.table", subject: "x:1", details: { name: ESCAPE } };
  await world.db.insert(auditLog).values({ ...entry, at: START });
  const table = (await cli.run("audit list --table --actor operator:eve")).stdout;
  assert.match(table, /name=\?\[2J/);
  assert.equal(table.includes("\u001b"), false);
  await cli.misuses(/^error: .* cannot be used with/, "audit list --table --json");
});

test("attention list shows what is set aside in the order of the subjects, page by page", async () => {
  const row = { reason: "Error: broken", attempts: 2, retryAt: START, height: null };
  const subjects = ["deposit:7", "link:abc", "withdrawal:9"];
  await world.db.insert(attention).values(subjects.map((subject) => ({ ...row, subject, createdAt: START })));
  const first = await cli.run("attention list --limit 2");
  const shown = { reason: row.reason, attempts: 2, since: AT, retry_at: AT, height: null };
  assert.deepEqual(
    first.json(),
    ["deposit:7", "link:abc"].map((subject) => ({ subject, ...shown })),
  );
  assert.deepEqual(await column("subject", "attention list --after link:abc"), ["withdrawal:9"]);
});

test("attention retry tries one at once, and attention close gives up a transaction or blocks only", async () => {
  const row = { reason: "NodeError: pruned", attempts: 9, retryAt: new Date("2100-01-01"), height: 7 };
  const [subject, blocks] = ["transaction:live:bep20:0xab", "blocks:live:bep20:7-9"];
  await world.db.insert(attention).values([subject, blocks].map((one) => ({ ...row, subject: one })));
  const read = async () =>
    new Map((await world.db.select().from(attention)).map((one) => [one.subject, one.retryAt]));
  const before = await read();
  assert.deepEqual(await cli.answer(`attention retry ${subject}`), { subject, retried: true });
  const retried = await read();
  assert.ok(retried.get(subject)! < row.retryAt);
  const others = new Map(before);
  others.delete(subject);
  assert.deepEqual(retried, new Map([...others, [subject, retried.get(subject)]]), "the others wait");
  await cli.refuses({
    "attention close link:abc":
      "only transactions and blocks can be closed: the others are tried for as long as they exist",
    "attention retry link:none": "nothing of this name was set aside: see `attention list`",
  });
  assert.deepEqual(await cli.answer(`attention close ${subject}`), { subject, closed: true });
  assert.deepEqual(await read(), others, "the others stay");
  assert.deepEqual(await cli.answer(`attention close ${blocks}`), { subject: blocks, closed: true });
  others.delete(blocks);
  assert.deepEqual(await read(), others);
  await cli.refuses({
    [`attention close ${subject}`]: "nothing of this name was set aside: see `attention list`",
  });
});

test("JSON keeps the texts of others, and they do not control the terminal", async () => {
  const { stdout } = await cli.run(`deposits show ${depositId}`);
  assert.equal((JSON.parse(stdout) as Row).extra, ESCAPE);
  assert.equal(stdout.replaceAll(/[\n -~]/g, ""), "");
});

test("link show finds a link in either environment, writes nothing, and refuses an unknown one", async () => {
  const before = await world.db.$count(quotes);
  const link = await cli.answer(`link show ${refids[2]}`);
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
  await cli.refuses({ "link show 1111": "no payment link has this reference: see `link list`" });
});

test("link cancel ends an unpaid link and shows it, and refuses one that was paid", async () => {
  await cli.refuses({
    [`link cancel ${refids[2]}`]:
      "money was seen for the payment link, or it has ended: only `open` and `awaiting` links can be canceled",
  });
  const canceled = await cli.answer(`link cancel ${refids[0]}`);
  assert.partialDeepStrictEqual(canceled, { refid: refids[0], state: "expired", reason: "canceled" });
});

test("deposits list and show find a deposit by merchant, status, id and transaction hash", async () => {
  const rows = await cli.answer<Row[]>(`deposits list --env test --merchant ${EMAIL}`);
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
  const ids = (options: string) => column("id", `deposits list --env test ${options}`);
  assert.deepEqual(await ids(""), [depositId]);
  assert.deepEqual(await ids("--status seen"), []);
  assert.deepEqual(await ids(`--before ${depositId}`), []);
  assert.deepEqual(await cli.answer("deposits list"), []);
  assert.deepEqual(await cli.answer(`deposits show ${depositId}`), rows[0]);
  assert.deepEqual(await cli.answer(`deposits show ${txHash.toUpperCase().replace("0X", "")}`), rows);
  const unknown =
    "no deposit has this id or transaction hash: see `deposits list`; unknown tokens are in `deposits unmatched`";
  await cli.refuses({
    "deposits show 999999": unknown,
    [`deposits show 0x${"9".repeat(64)}`]: unknown,
    "deposits show rubbish": unknown,
  });
});

test("webhook deliveries of a link need only its reference", async () => {
  assert.deepEqual(await cli.answer(`webhook deliveries --refid ${refids[2]}`), []);
  await cli.refuses({
    "webhook deliveries --refid 1111":
      "no payment link or withdrawal has this reference: see `link list` and `withdrawal list`",
  });
  await cli.misuses(/give --merchant or --refid/, "webhook deliveries");
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
  const subjects = (options: string) => column("subject", `audit list --action deposit.resolve ${options}`);
  assert.deepEqual(await subjects(""), ["deposit:3", "deposit:2", "deposit:1"]);
  assert.deepEqual(await subjects("--actor operator:bob"), ["deposit:3"]);
  assert.deepEqual(await subjects("--subject deposit:2"), ["deposit:2"]);
  const [row] = await cli.answer<Row[]>("audit list --subject deposit:1");
  assert.deepEqual(row, { id: row!.id, ...entry(1), ip: null, merchant: null, at: AT });
  assert.deepEqual(await subjects(`--before ${row!.id}`), []);
});
