import assert from "node:assert/strict";
import { after, test } from "node:test";
import { pino } from "pino";
import { refusedAttempts } from "#lib/domain/ledger/tables.ts";
import { openLog } from "#lib/platform/log/open-log.ts";
import {
  deployUsdt,
  mine,
  rpc,
  sendEvmUsdt,
  startAnvil,
  transferData,
  USDT_ADDRESS,
} from "#tests/support/anvil.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { followAll } from "#tests/support/follow-all.ts";
import { openTestCli, type Row } from "#tests/support/run-cli.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { ACCOUNT_KEY, bep20 } from "#tests/support/watched-chain.ts";
import { aHash, DESTINATION, fund, USDT } from "#tests/support/withdrawals.ts";
import { readDecisions } from "./decisions.ts";

const EMAIL = "shop@example.com";
/** An account with coins for fees and without the token. */
const POOR = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
const NO_WITHDRAWAL =
  "no withdrawal has this reference, or --env is the other environment: see `withdrawal list`";
const t = await databaseOfFile();
const node = await startAnvil({ automine: false });
after(() => node.kill());
await deployUsdt(node.url);
await fund(t.db, bep20(node.url).find("test", "bep20")!, await aMerchant(t.db, EMAIL), 100n * USDT);

const cli = openTestCli(() => ({
  DATABASE_URL: t.url,
  USER: "ada",
  TEST_BEP20_RPC_URL: node.url,
  TEST_BEP20_XPUB: ACCOUNT_KEY,
  TEST_BEP20_USDT_CONTRACT: USDT_ADDRESS,
}));
/** The command that creates a withdrawal of this amount. */
const creating = (amount: string) =>
  `withdrawal create --merchant ${EMAIL} --token usdt --network bep20 --to ${DESTINATION} --amount ${amount} --env test`;
const create = async (amount: string) => String((await cli.answer(creating(amount))).refid);
const sent = (refid: string, hash: string) =>
  cli.answer(`withdrawal sent ${refid} --tx-hash ${hash} --env test`);
const list = (options = "") => cli.answer<Row[]>(`withdrawal list --env test ${options}`);
const follow = (log = pino({ level: "silent" })) => followAll({ db: t.db, networks: bep20(node.url), log });

test("shows a withdrawal from its creation to its end", async () => {
  const { id: _, created_at: __, updated_at: ___, ...created } = await cli.answer(creating("12.5"));
  const refid = String(created.refid);
  assert.match(refid, /^[0-9]{16}$/);
  assert.deepEqual(created, {
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
    contract: bep20(node.url).find("test", "bep20")!.addresses.display(USDT_ADDRESS),
    tx_hash: null,
    processed_at: null,
    waits_for_approval: false,
    tx_seen: null,
    finding: null,
    failure_reason: null,
    next_command: null,
  });
  const hash = await sendEvmUsdt(node.url, DESTINATION, 125n * 10n ** 17n);
  await cli.refuses({ [`withdrawal sent ${refid} --tx-hash ${hash} --env live`]: NO_WITHDRAWAL });
  // The reference names its environment.
  const { tx_hash, tx_seen } = await cli.answer(`withdrawal sent ${refid} --tx-hash ${hash}`);
  assert.deepEqual([tx_hash, tx_seen], [hash, true]);
  await cli.refuses({
    [`withdrawal sent ${refid} --tx-hash ${hash} --env test`]:
      "a transaction is already submitted: use `withdrawal replace`",
    [`withdrawal fail ${refid} --env test`]:
      "its transaction may still confirm or has paid: a withdrawal can fail only after its transaction can no longer confirm",
    [`withdrawal replace ${refid} --tx-hash ${aHash()} --env test`]:
      "this transaction does not take the other's place (an input, or the sender's nonce), and that one is not dead. If the other hash was mistyped, use `withdrawal correct`",
  });
  await mine(node.url, 3);
  const lines: Record<string, unknown>[] = [];
  await follow(openLog("info", { write: (line: string) => void lines.push(JSON.parse(line)) }));
  const ended = lines.find(({ msg }) => msg === "withdrawal completed");
  assert.deepEqual([ended?.refid, typeof ended?.merchantId], [refid, "number"], JSON.stringify(lines));
  const rows = await list();
  assert.deepEqual(
    rows.map((row) => [row.refid, row.status, row.tx_hash]),
    [[refid, 3, hash]],
  );
  await cli.refuses({ [`withdrawal fail ${refid} --env test`]: "the withdrawal is completed" });
});

test("fails an unsent withdrawal with a reason, and allows a refund only after that", async () => {
  const refid = await create("5");
  const refund = `${creating("5")} --refund-of ${refid}`;
  await cli.refuses({ [refund]: "the withdrawal of --refund-of has not failed" });
  const failed = await cli.answer(`withdrawal fail ${refid} --reason 'wrong address' --env test`);
  assert.deepEqual([failed.status, failed.failure_reason], [5, "wrong address"]);
  await follow();
  const good = await cli.answer(refund);
  const refids = async (options: string) => (await list(options)).map((row) => row.refid);
  assert.deepEqual(await refids(`--status 2 --merchant ${EMAIL}`), [refid]);
  await cli.refuses({ [refund]: "the withdrawal of --refund-of is already refunded" });
  assert.deepEqual(await refids("--status 0"), [good.refid]);
  assert.deepEqual(await cli.answer("withdrawal list"), [], "live is another environment");
});

test("corrects a mistyped hash, settles with the transaction that paid, and suggests how to fail a dead one", async () => {
  const [one, two, dead] = [await create("5"), await create("6"), await create("7")];
  assert.equal((await sent(one, aHash())).tx_seen, false);
  const hash = await sendEvmUsdt(node.url, DESTINATION, 5n * USDT);
  const corrected = await cli.answer(`withdrawal correct ${one} --tx-hash ${hash} --env test`);
  assert.deepEqual([corrected.tx_hash, corrected.tx_seen], [hash, true]);

  const first = await sendEvmUsdt(node.url, DESTINATION, 6n * USDT);
  const second = await sendEvmUsdt(node.url, DESTINATION, 6n * USDT);
  await sent(two, first);
  const call = { from: POOR, to: USDT_ADDRESS, data: transferData(DESTINATION, 7n * USDT), gas: "0x186a0" };
  await sent(dead, String(await rpc(node.url, "eth_sendTransaction", [call])));
  await mine(node.url, 3);
  const settle = `withdrawal settle ${two} --tx-hash ${second} --env test`;
  await cli.refuses({
    [settle]:
      "another submitted transaction has paid or may still pay: replace it with one that excludes it, or accept that with --abandon-others",
  });
  const settled = await cli.answer(`${settle} --abandon-others`);
  assert.deepEqual([settled.status, settled.tx_hash], [3, second]);
  await follow();
  const fail = `withdrawal fail ${dead} --env test`;
  const rows = await list("--status 1");
  assert.deepEqual(
    rows.map(({ refid, finding, next_command }) => [refid, finding, next_command]),
    [[dead, "unpayable", `npm run -s paylink -- ${fail}`]],
  );
  const { stdout } = await cli.run("withdrawal list --status 1 --table --env test");
  assert.match(stdout, new RegExp(` paylink -- ${fail}$`, "m"));
  const failed = await cli.answer(fail);
  assert.deepEqual([failed.status, failed.failure_reason], [5, "its transaction failed on the chain"]);
  await follow();
});

test("records who decided", async () => {
  const recorded = await readDecisions(t.db);
  assert.deepEqual(new Set(recorded.map(({ actor }) => actor)), new Set(["operator:ada"]));
  assert.deepEqual(
    recorded.map(({ action }) => action),
    [
      ...["create", "sent"],
      ...["create", "fail", "create"],
      ...["create", "create", "create", "sent", "correct", "sent", "sent", "settle", "fail"],
    ].map((word) => `withdrawal.${word}`),
  );
});

test("a refusal gives its reason with exit status 1, and stays in the merchant's history", async () => {
  await cli.refuses({
    [creating("1000")]: "the merchant's balance is below the amount and its fee",
    [creating("0.5")]: "--amount is below the token's minimum send",
    [`withdrawal sent 123 --tx-hash ${aHash()} --env test`]: NO_WITHDRAWAL,
    "withdrawal list --merchant nobody@example.com":
      "no merchant has this e-mail address: see `merchant list`",
  });
  const attempts = await t.db.select().from(refusedAttempts).orderBy(refusedAttempts.id);
  assert.deepEqual(
    attempts.slice(-2).map(({ reason }) => reason),
    ["insufficient_balance", "send_amount_below_minimum"],
  );
});

for (const [what, message, line] of [
  ["no amount", /'--amount <amount>' not specified/, creating("").replace("--amount ", "")],
  ["an unknown token", /'usdx' is invalid/, creating("1").replace("usdt", "usdx")],
  ["an unknown network", /'polygon' is invalid/, creating("1").replace("bep20", "polygon")],
  ["an invalid amount", /an amount must be a number/, creating("1e400")],
  ["no hash", /'--tx-hash <hash>' not specified/, "withdrawal sent 123"],
  ["an unknown status", /'4' is invalid/, "withdrawal list --status 4"],
] as const) {
  test(`${what} is wrong usage`, () => cli.misuses(message, line));
}
