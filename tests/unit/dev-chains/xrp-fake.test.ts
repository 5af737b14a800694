import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Wallet } from "xrpl";
import { openNetworks } from "#lib/chains/registry.ts";
import { startXrp } from "#lib/dev-chains/xrp-chain.ts";
import { startXrpFake } from "#lib/dev-chains/xrp-fake/start-xrp-fake.ts";
import {
  askServer,
  destinationOf,
  sendTransaction,
  signTransaction,
} from "#lib/dev-chains/xrp-fake/xrp-payer.ts";
import { readNetworks } from "#lib/server/network-config.ts";
import { startXrpWorld, type XrpWorld } from "#tests/support/xrp.ts";

let world: XrpWorld;
before(async () => {
  world = await startXrpWorld();
});
after(() => world.stop());

const balanceOf = (account: string) => world.ledgers.state.accounts.get(account)?.balance;
const outcomeOf = async (transaction: string) => {
  const { meta } = await askServer(world.url, "tx", { transaction });
  return (meta as { TransactionResult: string }).TransactionResult;
};

test("refuses a bad signature, a used sequence and one too far ahead, as a server does", async () => {
  const fields = { TransactionType: "Payment", ...destinationOf(world.account), Amount: "5" };
  const { blob } = await signTransaction(world.url, world.payer, fields);
  const forged = blob.replace(/6140000000000000056/, "6140000000000000066");
  assert.notEqual(forged, blob);
  await assert.rejects(askServer(world.url, "submit", { tx_blob: forged }), /Invalid signature/);
  const others = Wallet.generate().sign({
    ...fields,
    TransactionType: "Payment",
    Account: world.payer.classicAddress,
    Fee: "12",
    Sequence: 1,
  } as never);
  await assert.rejects(askServer(world.url, "submit", { tx_blob: others.tx_blob }), /badAuth/);
  for (const [Sequence, result] of [
    [1, "tefPAST_SEQ"],
    [1_000, "terPRE_SEQ"],
  ] as const) {
    await assert.rejects(world.submit(world.payer, { ...fields, Sequence }), new RegExp(result));
  }
  await assert.rejects(world.submit(world.payer, { ...fields, Fee: "9" }), /telINSUF_FEE_P/);
  await assert.rejects(world.submit(world.payer, { ...fields, Amount: "0" }), /temBAD_AMOUNT/);
  await assert.rejects(world.submit(world.payer, { ...fields, LastLedgerSequence: 1 }), /tefMAX_LEDGER/);
  await assert.rejects(world.submit(world.payer, { ...fields, TransactionType: "OfferCreate" } as never));
});

test("a payment moves its amount and its fee, and a failure only its fee", async () => {
  const before = [balanceOf(world.payer.classicAddress)!, balanceOf(world.account)!] as const;
  await world.pay(world.payer, world.account, 1_000n);
  world.mine();
  assert.deepEqual(
    [balanceOf(world.payer.classicAddress), balanceOf(world.account)],
    [before[0] - 1_012n, before[1] + 1_000n],
  );
  const poor = balanceOf(world.pauper.classicAddress)!;
  const hash = await world.pay(world.pauper, world.account, 1_000_000_000n);
  world.mine();
  assert.equal(await outcomeOf(hash), "tecUNFUNDED_PAYMENT");
  assert.deepEqual(
    [balanceOf(world.pauper.classicAddress), balanceOf(world.account)],
    [poor - 12n, before[1] + 1_000n],
  );
});

test("an account starts with its reserve, and one that requires tags refuses payments without", async () => {
  const { classicAddress: fresh } = Wallet.generate();
  const failed = await world.pay(world.payer, fresh, 999_999n);
  world.mine();
  assert.equal(await outcomeOf(failed), "tecNO_DST_INSUF_XRP");
  await world.submit(world.receiver, { TransactionType: "AccountSet", SetFlag: 1 });
  world.mine();
  const refused = await world.pay(world.payer, world.account, 5n);
  const taken = await world.pay(world.payer, world.account, 5n, { DestinationTag: 0 });
  world.mine();
  assert.deepEqual([await outcomeOf(refused), await outcomeOf(taken)], ["tecDST_TAG_NEEDED", "tesSUCCESS"]);
});

test("replaces a waiting transaction by one that pays a quarter more, and drops an expired one", async () => {
  const first = await world.pay(world.payer, world.issuer.classicAddress, 5n);
  const { tx_json } = await askServer(world.url, "tx", { transaction: first });
  const { Sequence } = tx_json as { Sequence: number };
  const again = (Fee: string) => world.pay(world.payer, world.issuer.classicAddress, 6n, { Sequence, Fee });
  await assert.rejects(again("14"), /telCAN_NOT_QUEUE_FEE/);
  const second = await again("15");
  world.mine();
  await assert.rejects(askServer(world.url, "tx", { transaction: first }), /txnNotFound/);
  assert.equal(await outcomeOf(second), "tesSUCCESS");
});

test("ledgers are chained by their hashes and restored after a kill, without an incomplete last line", async () => {
  const dir = mkdtempSync(join(tmpdir(), "xrp-fake-"));
  const statePath = join(dir, "xrp.ledgers");
  try {
    const one = await startXrpFake({ statePath });
    const { classicAddress: to } = Wallet.generate();
    const payment = { TransactionType: "Payment", ...destinationOf(to), Amount: "5000000" };
    await sendTransaction(one.url, one.faucet, payment);
    one.mine(2);
    const waiting = await sendTransaction(one.url, one.faucet, payment);
    const tip = one.ledgers.tip();
    for (let index = tip.index; index > 1; index--) {
      const { history } = one.ledgers;
      assert.equal(history.at(index)?.parentHash, history.at(index - 1)?.hash);
    }
    await one.stop();
    appendFileSync(statePath, "8199");
    const two = await startXrpFake({ statePath });
    assert.equal(two.ledgers.tip().hash, tip.hash);
    assert.equal(two.ledgers.state.accounts.get(to)?.balance, 5_000_000n);
    assert.equal(two.ledgers.waiting(waiting)?.hash, waiting);
    two.mine();
    assert.equal(two.ledgers.state.accounts.get(to)?.balance, 10_000_000n);
    await two.stop();
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test("reports an unknown method for what is not faked, and an error for another API version", async () => {
  await assert.rejects(askServer(world.url, "path_find"), /unknownCmd/);
  await assert.rejects(
    askServer(world.url, "account_info", { account: "rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3" }),
    /actNotFound/,
  );
  const response = await fetch(world.url, { method: "POST", body: '{"method":"fee","params":[{}]}' });
  const { result } = (await response.json()) as { result: { error: string } };
  assert.equal(result.error, "invalid_API_version");
  assert.equal((await fetch(world.url, { method: "POST", body: "{" })).status, 400);
});

test("the demo's chain is not Testnet: no explorer shows its transactions", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "paylink-xrp-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const { classicAddress } = Wallet.generate();
  const chain = await startXrp(folder, classicAddress);
  t.after(() => chain.stop());
  const { networks } = readNetworks({ ...chain.env, TEST_XRP_ACCOUNT: classicAddress });
  const xrp = openNetworks(networks).find("test", "xrp");
  assert.equal(xrp?.data.explorer.test, null);
  assert.equal((await xrp.blocks.fetchHead()).height, await chain.height());
});
