import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { refusedAttempts } from "#lib/domain/ledger/tables.ts";
import { followWithdrawals } from "#lib/domain/withdrawals/follow-withdrawals.ts";
import { openLog } from "#lib/platform/log/open-log.ts";
import {
  type AnvilNode,
  deployUsdt,
  mine,
  rpc,
  sendEvmUsdt,
  startAnvil,
  transferData,
  USDT_ADDRESS,
} from "#tests/support/anvil.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { type CliRun, runCli } from "#tests/support/run-cli.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { until } from "#tests/support/until.ts";
import { ACCOUNT_KEY, bep20 } from "#tests/support/watched-chain.ts";
import { aHash, DESTINATION, fund, USDT } from "#tests/support/withdrawals.ts";

const EMAIL = "shop@example.com";
/** An account with coins for fees and without the token. */
const POOR = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
let t: TestDatabase;
let node: AnvilNode;

before(async () => {
  node = await startAnvil({ automine: false });
  await deployUsdt(node.url);
  t = await testDatabase();
  const adapter = bep20(node.url).find("test", "bep20")!;
  await fund(t.db, adapter, await aMerchant(t.db, EMAIL), 100n * USDT);
});
after(async () => {
  await t.close();
  await node.kill();
});

const cli = (...args: string[]) =>
  runCli(
    {
      DATABASE_URL: t.url,
      USER: "ada",
      TEST_BEP20_RPC_URL: node.url,
      TEST_BEP20_XPUB: ACCOUNT_KEY,
      TEST_BEP20_USDT_CONTRACT: USDT_ADDRESS,
    },
    "withdrawal",
    ...args,
  );
const create = (amount: string, ...more: string[]) =>
  cli(
    "create",
    "--merchant",
    EMAIL,
    "--token",
    "usdt",
    "--network",
    "bep20",
    "--to",
    DESTINATION,
    "--amount",
    amount,
    "--env",
    "test",
    ...more,
  );
const TEST = ["--env", "test"] as const;

interface Row {
  readonly refid: string;
  readonly status: number;
  readonly tx_hash: string | null;
  readonly tx_seen: boolean | null;
  readonly finding: string | null;
  readonly failure_reason: string | null;
  readonly next_command: string | null;
}
function done(run: CliRun): Row {
  assert.equal(run.status, 0, run.stderr);
  return run.json() as Row;
}
function refused(run: CliRun, message: string): void {
  assert.deepEqual(
    { status: run.status, stdout: run.stdout, stderr: run.stderr },
    { status: 1, stdout: "", stderr: `${message}\n` },
  );
}

test("shows a withdrawal from its creation to its end", async () => {
  const created = done(create("12.5"));
  const { refid } = created;
  assert.match(refid, /^[0-9]{16}$/);
  const { id: _, created_at: __, updated_at: ___, ...rest } = created as unknown as Record<string, unknown>;
  assert.deepEqual(rest, {
    env: "test",
    refid,
    checked: 1,
    status: 0,
    email: EMAIL,
    value: "12.5",
    _to: DESTINATION,
    token: "usdt",
    network: "bep20",
    fee: "1",
    contract: bep20(node.url).find("test", "bep20")!.displayAddress(USDT_ADDRESS),
    tx_hash: null,
    processed_at: null,
    waits_for_approval: false,
    tx_seen: null,
    finding: null,
    failure_reason: null,
    next_command: null,
  });
  const hash = await sendEvmUsdt(node.url, DESTINATION, 125n * 10n ** 17n);
  refused(
    cli("sent", refid, "--tx-hash", hash, "--env", "live"),
    "no withdrawal has this reference, or --env is the other environment: see `withdrawal list`",
  );
  // The reference names its environment.
  const sent = done(cli("sent", refid, "--tx-hash", hash));
  assert.deepEqual([sent.tx_hash, sent.tx_seen], [hash, true]);
  refused(
    cli("sent", refid, "--tx-hash", hash, ...TEST),
    "a transaction is already submitted: use `withdrawal replace`",
  );
  refused(
    cli("fail", refid, ...TEST),
    "its transaction may still confirm or has paid: a withdrawal can fail only after its transaction can no longer confirm",
  );
  refused(
    cli("replace", refid, "--tx-hash", aHash(), ...TEST),
    "this transaction does not take the other's place (an input, or the sender's nonce), and that one is not dead. If the other hash was mistyped, use `withdrawal correct`",
  );
  await mine(node.url, 3);
  const lines: Record<string, unknown>[] = [];
  const log = openLog("info", { write: (line: string) => void lines.push(JSON.parse(line)) });
  // One run may find no usable node: the commands above stop this process for seconds. The next run checks again.
  const ended = await until("the withdrawal to be completed", async () => {
    await followWithdrawals({ db: t.db, networks: bep20(node.url), log });
    return lines.find(({ msg }) => msg === "withdrawal completed");
  }).catch((error: Error) => assert.fail(`${error.message}: ${JSON.stringify(lines.slice(-5))}`));
  assert.equal(ended.refid, refid);
  assert.equal(typeof ended?.merchantId, "number");
  const [listed, ...more] = cli("list", ...TEST).json() as Row[];
  assert.deepEqual(more, []);
  assert.deepEqual([listed!.refid, listed!.status, listed!.tx_hash], [refid, 3, hash]);
  refused(cli("fail", refid, ...TEST), "the withdrawal is completed");
});

test("fails an unsent withdrawal with a reason, and allows a refund only after that", async () => {
  const { refid } = done(create("5"));
  refused(create("5", "--refund-of", refid), "the withdrawal of --refund-of has not failed");
  const failed = done(cli("fail", refid, "--reason", "wrong address", ...TEST));
  assert.equal(failed.status, 5);
  assert.equal(failed.failure_reason, "wrong address");
  await followWithdrawals({ db: t.db, networks: bep20(node.url), log: pino({ level: "silent" }) });
  const good = done(create("5", "--refund-of", refid));
  const failedOnes = cli("list", "--status", "2", "--merchant", EMAIL, ...TEST).json() as Row[];
  assert.deepEqual(
    failedOnes.map((row) => row.refid),
    [refid],
  );
  refused(create("5", "--refund-of", refid), "the withdrawal of --refund-of is already refunded");
  const pending = cli("list", "--status", "0", ...TEST).json() as Row[];
  assert.deepEqual(
    pending.map((row) => row.refid),
    [good.refid],
  );
  assert.deepEqual(cli("list").json(), [], "live is another environment");
});

test("corrects a mistyped hash, settles with the transaction that paid, and suggests how to fail a dead one", async () => {
  const follow = () =>
    followWithdrawals({ db: t.db, networks: bep20(node.url), log: pino({ level: "silent" }) });
  const [one, two, dead] = [done(create("5")), done(create("6")), done(create("7"))];
  const sent = done(cli("sent", one.refid, "--tx-hash", aHash(), ...TEST));
  assert.equal(sent.tx_seen, false);
  const hash = await sendEvmUsdt(node.url, DESTINATION, 5n * USDT);
  const corrected = done(cli("correct", one.refid, "--tx-hash", hash, ...TEST));
  assert.deepEqual([corrected.tx_hash, corrected.tx_seen], [hash, true]);

  const first = await sendEvmUsdt(node.url, DESTINATION, 6n * USDT);
  const second = await sendEvmUsdt(node.url, DESTINATION, 6n * USDT);
  done(cli("sent", two.refid, "--tx-hash", first, ...TEST));
  const call = { from: POOR, to: USDT_ADDRESS, data: transferData(DESTINATION, 7n * USDT), gas: "0x186a0" };
  const reverted = String(await rpc(node.url, "eth_sendTransaction", [call]));
  done(cli("sent", dead.refid, "--tx-hash", reverted, ...TEST));
  await mine(node.url, 3);
  refused(
    cli("settle", two.refid, "--tx-hash", second, ...TEST),
    "another submitted transaction has paid or may still pay: replace it with one that excludes it, or accept that with --abandon-others",
  );
  const settled = done(cli("settle", two.refid, "--tx-hash", second, "--abandon-others", ...TEST));
  assert.deepEqual([settled.status, settled.tx_hash], [3, second]);
  await follow();
  const rows = cli("list", "--status", "1", ...TEST).json() as Row[];
  const fail = `withdrawal fail ${dead.refid} --env test`;
  assert.deepEqual(
    rows.map(({ refid, finding, next_command }) => [refid, finding, next_command]),
    [[dead.refid, "unpayable", `npm run -s paylink -- ${fail}`]],
  );
  assert.match(
    cli("list", "--status", "1", "--table", ...TEST).stdout,
    new RegExp(` paylink -- ${fail}$`, "m"),
  );
  const failed = done(cli(...fail.split(" ").slice(1)));
  assert.deepEqual([failed.status, failed.failure_reason], [5, "its transaction failed on the chain"]);
  await follow();
});

test("records who decided", async () => {
  const rows = await t.db.select().from(auditLog).orderBy(auditLog.id);
  assert.deepEqual(
    rows.map(({ actor, action }) => [actor, action]),
    [
      ["operator:ada", "withdrawal.create"],
      ["operator:ada", "withdrawal.sent"],
      ["operator:ada", "withdrawal.create"],
      ["operator:ada", "withdrawal.fail"],
      ["operator:ada", "withdrawal.create"],
      ["operator:ada", "withdrawal.create"],
      ["operator:ada", "withdrawal.create"],
      ["operator:ada", "withdrawal.create"],
      ["operator:ada", "withdrawal.sent"],
      ["operator:ada", "withdrawal.correct"],
      ["operator:ada", "withdrawal.sent"],
      ["operator:ada", "withdrawal.sent"],
      ["operator:ada", "withdrawal.settle"],
      ["operator:ada", "withdrawal.fail"],
    ],
  );
});

test("a refusal gives its reason with exit status 1, and stays in the merchant's history", async () => {
  refused(create("1000"), "the merchant's balance is below the amount and its fee");
  refused(create("0.5"), "--amount is below the token's minimum send");
  refused(
    cli("sent", "123", "--tx-hash", aHash(), ...TEST),
    "no withdrawal has this reference, or --env is the other environment: see `withdrawal list`",
  );
  refused(
    cli("list", "--merchant", "nobody@example.com"),
    "no merchant has this e-mail address: see `merchant list`",
  );
  const attempts = await t.db.select().from(refusedAttempts).orderBy(refusedAttempts.id);
  assert.deepEqual(
    attempts.slice(-2).map(({ reason }) => reason),
    ["insufficient_balance", "send_amount_below_minimum"],
  );
});

for (const [what, args] of [
  [
    "no amount",
    ["create", "--merchant", EMAIL, "--token", "usdt", "--network", "bep20", "--to", DESTINATION],
  ],
  [
    "an unknown token",
    [
      "create",
      "--merchant",
      EMAIL,
      "--token",
      "usdx",
      "--network",
      "bep20",
      "--to",
      DESTINATION,
      "--amount",
      "1",
    ],
  ],
  [
    "an unknown network",
    [
      "create",
      "--merchant",
      EMAIL,
      "--token",
      "usdt",
      "--network",
      "polygon",
      "--to",
      DESTINATION,
      "--amount",
      "1",
    ],
  ],
  [
    "an invalid amount",
    [
      "create",
      "--merchant",
      EMAIL,
      "--token",
      "usdt",
      "--network",
      "bep20",
      "--to",
      DESTINATION,
      "--amount",
      "1e400",
    ],
  ],
  ["no hash", ["sent", "123"]],
  ["an unknown status", ["list", "--status", "4"]],
] as const) {
  test(`${what} is wrong usage`, () => {
    const run = cli(...args);
    assert.equal(run.status, 2);
    assert.equal(run.stdout, "");
  });
}
