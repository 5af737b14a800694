/**
 * The logs of a whole server at its lowest level, and its answers, while everything goes wrong. Every line
 * names its request and link. Neither log nor response contains anything secret or private.
 */
import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import { accountPublicKey } from "#lib/demo/state.ts";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { webhookDeliveries } from "#lib/domain/webhooks/tables.ts";
import { test } from "#tests/e2e/fixtures.ts";
import { choiceForm } from "#tests/support/choice-form.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { spawnCli } from "#tests/support/run-cli.ts";
import { findSecrets } from "#tests/support/search-logs.ts";
import type { Stack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";

const CUSTOMER = {
  email: "ada.private@example.com",
  first_name: "Adaprivate",
  last_name: "Obiprivate",
  phone: "+2348035550123",
};
const PRIVATE = /private/i;
/** Internal details that a response must not contain. */
const INSIDE =
  /select |insert |Failed query|payment_links|relation|postgres|node_modules|\bat .*:\d+:\d+|private/i;
const METRICS_TOKEN = "metrics-token-private-0123";
const PROXIES_ID = "0123456789abcdef0123456789abcdef";

const keys = {
  secretKey: "",
  mnemonic: "test test test test test test test test test test test junk",
  merchant: null,
};
/** Nobody listens there. */
const NODE = "nodeuser:nodepass-private@127.0.0.1:1/v3/nodekey-private?token=query-private";
test.use({
  kind: {
    env: {
      LOG_LEVEL: "trace",
      METRICS_TOKEN,
      LIVE_TRC20_RPC_URL: `http://${NODE}`,
      LIVE_TRC20_XPUB: accountPublicKey(keys, "trc20"),
    },
    networks: ["bep20"],
  },
});

let stack: Stack;
let refid = "";
test.beforeAll(async ({ world }) => {
  stack = await world.openShop();
  refid = (await createLink()).refid;
});

function createLink() {
  return stack.createLink({
    customer_details: JSON.stringify(CUSTOMER),
    metadata: JSON.stringify({ note: "metaprivate" }),
  });
}

type Line = Readonly<Record<string, unknown>> & { readonly msg: string; readonly level: string };

/** Throws for a line that is not JSON: nothing may be printed outside the log. The last one may not be whole yet. */
const lines = (): Line[] =>
  stack
    .log()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const saying = (msg: string, about: Readonly<Record<string, unknown>> = {}) =>
  lines().filter(
    (line) => line.msg === msg && Object.entries(about).every(([name, value]) => line[name] === value),
  );
const heard = (msg: string, about: Readonly<Record<string, unknown>> = {}) =>
  until(`the line "${msg}"`, () => saying(msg, about)[0]);

const origin = () => new URL(stack.pageUrl).origin;
async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(origin() + path, { redirect: "manual", ...init });
  const { status, headers } = response;
  return { status, text: await response.text(), id: headers.get("x-request-id") ?? assert.fail("no id") };
}
const withKey = () => ({ "x-staging-api-key": stack.testKey });

/** Posts the first form of the link's page, as a browser without scripts does. */
async function postChoice(page: string) {
  const { text } = await ask(page);
  return ask(page, { method: "POST", body: choiceForm(text), headers: { origin: origin() } });
}

test.describe("what the log says", () => {
  test("every response has a request id, under which one log line reports the result", async () => {
    const page = `/pay/${refid}`;
    for (const [path, level] of [
      [`/v1/payment-links/${refid}`, "info"],
      [`${page}?lang=fr&notice=query-of-the-page`, "info"],
      [`${page}/version`, "debug"],
      [`${page}/preview.png`, "debug"],
    ] as const) {
      const { status, id } = await ask(path, { headers: withKey() });
      assert.equal(status, 200, path);
      const line = await heard("request", { requestId: id });
      assert.equal(line.refid, refid, path);
      assert.deepEqual([line.path, line.status, line.level], [path.split("?")[0], 200, level]);
    }
    for (const path of ["/nowhere", "/v1/nowhere", "/healthz", "/checkout.js", `/pay/accent/x.css`]) {
      const { status, id } = await ask(path);
      assert.equal((await heard("request", { requestId: id })).status, status, path);
    }
    assert.doesNotMatch(stack.log(), /query-of-the-page/);
    assert.doesNotMatch(JSON.stringify(saying("request")), /127\.0\.0\.1/, "no sender's address");
  });

  test("the line of a link's creation names the link and its merchant", async () => {
    const made = await createLink();
    const line = await heard("request", { refid: made.refid });
    assert.equal(line.path, "/v1/payment-links");
    assert.equal(typeof line.merchantId, "number");
    assert.equal(line.env, "test");
  });

  test("a trusted proxy may set the request id, if it is well-formed", async () => {
    assert.equal((await ask("/nowhere", { headers: { "x-request-id": PROXIES_ID } })).id, PROXIES_ID);
    for (const odd of ["short", "a b c d e f g h", "x".repeat(65), '","forged":"0123456789']) {
      assert.match((await ask("/nowhere", { headers: { "x-request-id": odd } })).id, /^[0-9a-f-]{36}$/);
    }
  });

  test("the choice of a network is logged like any request, and its credit names link and deposit", async () => {
    const paid = await createLink();
    const { status, id } = await postChoice(`/pay/${paid.refid}`);
    assert.equal(status, 303);
    const line = await heard("request", { requestId: id });
    assert.deepEqual([line.method, line.refid], ["POST", paid.refid]);
    const { quotes } = (await stack.getLink(paid.refid)) as unknown as {
      quotes: { address: string; amount: number }[];
    };
    await stack.pay(quotes[0]!.address, String(quotes[0]!.amount));
    await stack.mine(40);
    await stack.waitForState(paid.refid, "completed");
    const credited = await heard("deposits credited");
    assert.deepEqual(credited.refids, [paid.refid]);
    assert.equal((credited.depositIds as unknown[]).length, 1);
    const attempt = await heard("webhook attempt", { refid: paid.refid });
    assert.deepEqual([typeof attempt.eventId, typeof attempt.endpointId], ["number", "number"]);
  });
});

test.describe("what goes wrong", () => {
  test("the line about an unresponsive node contains neither its password nor its key", async () => {
    const line = await heard("no node is usable", { network: "trc20" });
    assert.match(JSON.stringify(line), /127\.0\.0\.1:\d+ does not answer/);
  });

  test("refused bodies with keys and customer data leave no trace of them", async () => {
    for (const [type, body] of [
      ["application/json", `{"amount": ${stack.testKey}, "email": "ada.private@example.com"`],
      [
        "application/json",
        JSON.stringify({ amount: stack.testKey, customer_details: { email: CUSTOMER.email } }),
      ],
      ["text/plain", CUSTOMER.email],
      ["application/x-www-form-urlencoded", `%zz=${CUSTOMER.email}`],
    ] as const) {
      const answer = await ask("/v1/payment-links", {
        method: "POST",
        body,
        headers: { ...withKey(), "content-type": type },
      });
      assert.ok(answer.status >= 400 && answer.status < 500, String(answer.status));
    }
    assert.equal((await ask(`/v1/${stack.testKey}`)).status, 404);
    assert.equal((await ask(`/pay/${stack.testKey}`)).status, 404);
  });

  test("a row that the database refuses is logged with its constraint, under the request's id", async () => {
    const { pool } = stack.db.database;
    await pool.query(
      "alter table customers add constraint planted check (email not like '%private%') not valid",
    );
    await pool.query("delete from payment_links where refid = $1", ["none"]);
    const answer = await ask("/v1/payment-links", {
      method: "POST",
      body: new URLSearchParams({
        amount: "16000",
        payment_reference: "PLANTED",
        customer_details: JSON.stringify({ ...CUSTOMER, email: "other.private@example.com" }),
        success_url: "https://shop.example.com/ok",
        cancel_url: "https://shop.example.com/no",
        metadata: JSON.stringify({ note: "metaprivate" }),
      }),
      headers: withKey(),
    });
    await pool.query("alter table customers drop constraint planted");
    assert.equal(answer.status, 500);
    assert.match(answer.text, /^\{"status":"fail","message":"internal error","code":"internal_error",/);
    const line = await heard("request failed", { requestId: answer.id });
    assert.match(JSON.stringify(line.err), /"code":"23514".*"constraint":"planted"/);
    assert.equal(typeof line.merchantId, "number");
  });

  test("a failed page, version, picture or form shows no cause, and is logged under its request id", async () => {
    const { pool } = stack.db.database;
    const page = `/pay/${refid}`;
    await pool.query("alter table payment_links rename to payment_links_private");
    try {
      for (const [path, failed] of [
        [page, "page or action failed"],
        [`${page}/version`, "cannot look up the version of a payment link"],
        [`${page}/preview.png`, "page or action failed"],
        [`/v1/payment-links/${refid}`, "request failed"],
      ] as const) {
        const { status, text, id } = await ask(path, { headers: withKey() });
        assert.equal(status, 500, path);
        assert.doesNotMatch(text, INSIDE, path);
        const line = await heard(failed, { requestId: id });
        assert.equal(line.refid, refid, path);
        assert.match(JSON.stringify(line.err), /42P01/, path);
      }
    } finally {
      await pool.query("alter table payment_links_private rename to payment_links");
    }
    assert.equal((await ask(page)).status, 200);
  });

  test("a webhook that cannot be delivered is logged with its event and link, not its URL", async () => {
    const { db } = stack.db;
    const { rows } = await stack.db.database.pool.query("select merchant_id from payment_links limit 1");
    const nobody = await choosePort(0);
    await stack.db.database.pool.query("update webhook_endpoints set url = $1 where env = 'test'", [
      `http://127.0.0.1:${nobody}/hooks/path-private?token=query-private`,
    ]);
    const dataJson = JSON.stringify({ refid, customer: CUSTOMER });
    const event = await db.transaction((tx) =>
      emitRawEvent(
        tx,
        {
          merchantId: Number(rows[0].merchant_id),
          env: "test",
          type: "payment_link_completed",
          dataJson,
          txHashes: [],
        },
        new Date(),
      ),
    );
    const line = await heard("webhook attempt", { eventId: event.id });
    assert.equal(line.refid, refid);
    assert.match(JSON.stringify(line.decision), /ECONNREFUSED/);
    await db
      .update(webhookDeliveries)
      .set({ status: "failed" })
      .where(eq(webhookDeliveries.eventId, event.id));
    const metrics = await ask("/metrics", { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    assert.match(metrics.text, /paylink_webhook_attempts_total\{outcome="connection"\} [1-9]/);
  });

  test("the command line reports a failure without passwords and rows", () => {
    const wrong = new URL(stack.db.url);
    wrong.password = "wrongpass-private";
    const env = { ...stack.env, DATABASE_URL: wrong.href };
    const refused = spawnCli(env, "merchant", "list");
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /password authentication failed/);
    const away = spawnCli(
      { ...env, DATABASE_URL: "postgres://me:wrongpass-private@127.0.0.1:9/x" },
      "merchant",
      "list",
    );
    assert.match(away.stderr, /ECONNREFUSED/);
    for (const { stderr, stdout } of [refused, away]) assert.doesNotMatch(stderr + stdout, PRIVATE);
  });

  test("the log of all of that contains nothing secret and nothing private", () => {
    const log = stack.log();
    assert.ok(lines().length > 50, `${lines().length} lines`);
    const password = new URL(stack.db.url).password;
    assert.ok(password.length > 16);
    const secrets = [
      password,
      stack.env.SECRET_KEY ?? "",
      stack.testKey,
      METRICS_TOKEN,
      "nodepass",
      "nodekey",
    ];
    assert.deepEqual(findSecrets(log, [...secrets, ...Object.values(CUSTOMER)]), []);
    // Only the renamed table is allowed. All other strings were issued as secrets or are private data.
    assert.doesNotMatch(log.replaceAll("payment_links_private", ""), PRIVATE);
  });
});
