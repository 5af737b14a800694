/** `paylink trigger` against the real API and socket, with a sandbox that the test plays. tests/long/e2e/sandbox.test.ts has real chains. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlayRequest, PlayResult } from "#lib/domain/sandbox/types.ts";
import type { EventType } from "#lib/domain/webhooks/events.ts";
import { startTestApi } from "#tests/support/api.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { openTestCli, type Row } from "#tests/support/run-cli.ts";
import { startServiceServer } from "#tests/support/service-server.ts";

const played: PlayRequest[] = [];
/** The type of the event that follows the next payment, or why no event follows. */
let next: EventType | "no_development_chain" = "payment_link_completed";

const api = await startTestApi({
  sandbox: {
    async play(request): Promise<PlayResult> {
      played.push(request);
      if (next === "no_development_chain") return { ok: false, reason: next };
      const { refid, scenario, merchantId = 0 } = request;
      for (const about of ["of another link", refid]) {
        const dataJson = JSON.stringify({ refid: about });
        const event = { merchantId, env: "test", type: next, dataJson, txHashes: [] } as const;
        await api.database.db.transaction((tx) => emitRawEvent(tx, event, new Date()));
      }
      const pair = { network: "bep20", token: "usdt" } as const;
      const transactions = [{ txHash: "0xab", fate: "mined", contract: null }] as const;
      const amount = 10n ** 19n;
      return {
        ok: true,
        played: { refid, scenario, ...pair, address: "0x1", amount, transactions, expected: null },
      };
    },
    panel: async () => null,
  },
});
const { origin } = await startServiceServer(api.database, api.services);
const merchant = await api.merchant();
const cli = openTestCli(() => ({ PAYLINK_URL: origin, PAYLINK_KEY: merchant.test }));

test("makes a link, pays it with the scenario of the event, and waits for the event of that link", async () => {
  played.length = 0;
  next = "payment_link_failed";
  const answer = await cli.answer("trigger payment_link_failed --reference ORDER7");
  const [request] = played;
  const { event, ...rest } = answer as Row & { event: string };
  assert.match(event, /^evt_\d+$/);
  const refid = request?.refid ?? "";
  assert.deepEqual(rest, { type: next, refid, network: "bep20", token: "usdt", tx_hashes: ["0xab"] });
  assert.partialDeepStrictEqual(request, {
    scenario: "underpaid",
    network: "bep20",
    merchantId: merchant.id,
  });
  const { body } = await api.send({ path: `/payment-links/${refid}`, key: merchant.test });
  assert.partialDeepStrictEqual(body, { data: { payment_reference: "ORDER7" } });
});

test("pays the link and network that it is given", async () => {
  played.length = 0;
  next = "small_deposits";
  const answer = await cli.answer("trigger small_deposits --link 4fRk9ZqWm2TgYx7LbNc3Vd --network bep20");
  assert.equal(answer.refid, "4fRk9ZqWm2TgYx7LbNc3Vd");
  assert.partialDeepStrictEqual(played, [
    { refid: "4fRk9ZqWm2TgYx7LbNc3Vd", scenario: "exact", amount: "0.000001" },
  ]);
});

test("tries every network, and says why none of them can", async () => {
  played.length = 0;
  next = "no_development_chain";
  await cli.refuses({ "trigger deposit_credited": "Paylink refused: network is not a development chain" });
  assert.deepEqual(
    played.map(({ network }) => network),
    ["bep20"],
  );
});

test("says what to do for an event that the sandbox cannot make, and without a sandbox", async () => {
  await cli.refuses({
    "trigger withdrawal_completed": /^withdrawal_completed is not here: the operator or the signer/,
  });
  const off = await startTestApi({ sandbox: null });
  const server = await startServiceServer(off.database, off.services);
  const { test: key } = await off.merchant();
  await openTestCli(() => ({ PAYLINK_URL: server.origin, PAYLINK_KEY: key })).refuses({
    "trigger deposit_credited": "this Paylink has no sandbox: the operator must set SANDBOX=on",
  });
});

test("lists the events in its help, and refuses others", async () => {
  const { stdout } = await cli.run("trigger --help");
  assert.match(stdout, /payment_link_late +ends the time of a link, then pays it/);
  assert.match(stdout, /Not here:[\s\S]*refund_completed/);
  await cli.misuses(/Allowed choices are payment_link_completed/, "trigger payment_link_paid");
});

test("refuses a live key and an address where no Paylink is", async () => {
  const live = openTestCli(() => ({ PAYLINK_URL: origin, PAYLINK_KEY: merchant.live }));
  await live.refuses({ "trigger deposit_credited": /^PAYLINK_KEY is a live key/ });
  const nowhere = openTestCli(() => ({ PAYLINK_URL: "http://127.0.0.1:9", PAYLINK_KEY: merchant.test }));
  await nowhere.refuses({ "trigger deposit_credited": /^no connection to http:\/\/127\.0\.0\.1:9: / });
});
