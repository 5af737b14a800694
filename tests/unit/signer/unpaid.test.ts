import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NETWORKS } from "#lib/chains/networks.ts";
import { isSignerRunning } from "#lib/domain/withdrawals/signer/signer-lock.ts";
import { listHoldReasons, listSignerAccounts } from "#lib/domain/withdrawals/signer/signer-queries.ts";
import { openJournal } from "#lib/signer/journal.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import { openSigner, openUnpaid } from "#lib/signer/run-signer.ts";
import { serveSigner } from "#lib/signer/serve.ts";
import { utxoNetwork } from "#tests/support/bitcoin-adapter.ts";
import { temporaryFolder, testDatabase } from "#tests/support/database.ts";
import { openManualClock } from "#tests/support/manual-clock.ts";
import { WORDS } from "#tests/support/signer-world.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { aReceiver, SETUPS } from "#tests/support/utxo-world.ts";
import { log } from "#tests/support/watched-chain.ts";
import { aWithdrawal, fund } from "#tests/support/withdrawals.ts";

const EMAIL = "shop@example.com";

test("over Electrum servers each withdrawal waits with the reason, and the signer names no account", async (t) => {
  const { database, close } = await testDatabase();
  const folder = temporaryFolder();
  t.after(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });
  const { db } = database;
  const networks = utxoNetwork(NETWORKS.bitcoin, "electrum+tcp://127.0.0.1:9");
  const adapter = networks.find("test", "bitcoin")!;
  await fund(db, adapter, await aMerchant(db, EMAIL), 100_000_000n, "btc");
  const to = aReceiver(SETUPS.bitcoin.chain);
  const withdrawal = { network: "bitcoin", token: "btc", amount: 1_000_000n, to } as const;
  const { refid } = await aWithdrawal({ db, networks }, EMAIL, withdrawal);
  const limits = { per_transfer: "1", per_day: "1", auto_up_to: "1" };
  const policy = parsePolicy(
    JSON.stringify({
      version: 1,
      networks: {
        "test.bitcoin": { max_fee_per_vbyte: "10", tokens: { btc: limits } },
        // It is off on the signer's host.
        "test.litecoin": { max_fee_per_vbyte: "10", tokens: { ltc: limits } },
      },
    }),
    (_env, _network, address) => address,
  );
  const journal = openJournal(join(folder, "journal.jsonl"));
  const deps = { db, networks, mnemonic: WORDS, journal, policy: () => policy, log };
  const clock = openManualClock();
  const open = () => [...openSigner(deps), ...openUnpaid(deps)];
  const options = { metricsPort: null, onBroken: (error: unknown) => assert.fail(String(error)) };
  const { signer, stop } = await serveSigner({ open, database, log, ...clock }, options);
  await clock.untilAsleep(3);
  await clock.advance(2_000);
  await clock.untilAsleep(3);
  assert.deepEqual(
    signer.map(({ name, held }) => [name, [...held]]),
    [
      ["test.bitcoin", [[refid, "no_node_that_pays"]]],
      ["test.litecoin", []],
    ],
  );
  assert.ok(await isSignerRunning(db));
  assert.deepEqual([...(await listHoldReasons(db))], [[refid, "no_node_that_pays"]]);
  assert.deepEqual(
    (await listSignerAccounts(db, "test")).map(({ network, address }) => [network, address]),
    [
      ["bitcoin", ""],
      ["litecoin", ""],
    ],
  );
  await stop();
});
