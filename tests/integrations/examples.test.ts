/** The shops of docs/integrate/examples take an order, and every webhook that can come. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { composeWebhookHeaders } from "#lib/domain/webhooks/sign-webhook.ts";
import { generateWebhookSecret } from "#lib/domain/webhooks/webhook-endpoints.ts";
import { startApi } from "#tests/support/api.ts";
import { temporaryFolder } from "#tests/support/database.ts";
import { openTestCli } from "#tests/support/run-cli.ts";
import { makeExamples } from "./example-folder.ts";
import { type ShopProcess, startShop } from "./shop-process.ts";

const SECRET = generateWebhookSecret();
const EXAMPLES = new URL("../../docs/integrate/examples", import.meta.url);

const examples = await makeExamples();
const api = await startApi();
const merchant = await api.merchant();
const cli = openTestCli(() => ({ PAYLINK_WEBHOOK_SECRET: SECRET }));
const shops: ShopProcess[] = [];
after(async () => {
  for (const shop of shops) await shop.kill();
  await api.close();
});

test("every example is tested", () => {
  assert.deepEqual(Object.keys(examples).sort(), readdirSync(EXAMPLES).sort());
});

async function start(name: string, secret = SECRET) {
  const port = String(await choosePort(0));
  const origin = `http://127.0.0.1:${port}${name === "next.js" ? "/shop" : ""}`;
  const settings = { PORT: port, SHOP_URL: origin, PAYLINK_URL: api.origin, PAYLINK_KEY: merchant.test };
  const example = await examples[name]!(port);
  const shop = await startShop({
    ...example,
    env: { ...settings, PAYLINK_WEBHOOK_SECRET: secret, ...example.env },
    log: join(temporaryFolder(), "shop.log"),
    health: `${origin}/orders/none`,
    healthStatus: 404,
  });
  shops.push(shop);
  return { origin, shop };
}

interface Order {
  readonly id: string;
  readonly refid: string;
}

/** Orders as a customer does, and follows the redirect to the payment page. */
async function buy(origin: string): Promise<Order> {
  const answer = await fetch(`${origin}/buy`, { method: "POST", redirect: "manual" });
  assert.equal(answer.status, 303, await answer.text());
  const refid = (answer.headers.get("location") ?? "").split("/").at(-1) ?? "";
  const { body } = await api.send({ path: `/payment-links/${refid}`, key: merchant.test });
  const { data } = body as { data: Record<string, unknown> };
  assert.deepEqual([data.amount_required, data.amount_currency], [12.5, "usd"]);
  return { id: String(data.payment_reference), refid };
}

/** Sends the news about an order as the server signs it. Only events of a link have `state` and `seq`. */
async function send(
  origin: string,
  { id, refid }: Order,
  news: { readonly type: string; readonly state?: string; readonly seq?: number },
  secret = SECRET,
): Promise<number> {
  const { type, state, seq } = news;
  const data = { refid, payment_reference: id, state, seq };
  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
  const headers = composeWebhookHeaders([secret], `evt_${seq ?? 9}`, body, new Date());
  return (await fetch(`${origin}/webhooks`, { method: "POST", headers, body })).status;
}

const PAID = { type: "payment_link_completed", state: "completed", seq: 2 };

for (const name of Object.keys(examples)) {
  test(`${name}: an order is paid once, by a signed event of its own link alone`, async () => {
    const { origin, shop } = await start(name);
    const order = await buy(origin);
    const state = async () => (await fetch(`${origin}/orders/${order.id}`)).text();
    const handled = () => shop.output().split(`order ${order.id} is paid`).length - 1;
    assert.equal(await state(), "new");
    assert.equal(await send(origin, order, PAID, generateWebhookSecret()), 401);
    const other = await buy(origin);
    assert.equal(await send(origin, { id: order.id, refid: other.refid }, PAID), 204);
    assert.deepEqual([await state(), handled()], ["new", 0]);

    const statuses = await Promise.all(Array.from({ length: 5 }, () => send(origin, order, PAID)));
    assert.deepEqual([...new Set(statuses)], [204]);
    assert.equal(await send(origin, order, { type: "small_deposits" }), 204);
    const older = { type: "payment_link_failed", state: "expired", seq: 1 };
    assert.equal(await send(origin, order, older), 204);
    assert.deepEqual([await state(), handled()], ["completed", 1]);

    const reverted = { type: "payment_link_reverted", state: "awaiting", seq: 3 };
    assert.equal(await send(origin, order, reverted), 204);
    assert.equal(await state(), "awaiting");
    assert.equal(shop.output().split(`order ${order.id} is not paid any more`).length - 1, 1);
    assert.equal(await send(origin, order, { ...PAID, seq: 4 }), 204);
    assert.deepEqual([await state(), handled()], ["completed", 1]);

    const expired = { type: "payment_link_failed", state: "expired", seq: 1 };
    assert.equal(await send(origin, other, expired), 204);
    assert.doesNotMatch(shop.output(), new RegExp(`order ${other.id} is paid`));

    const third = await buy(origin);
    const about = ["--refid", third.refid, "--reference", third.id];
    const { status, stdout, stderr } = await cli.run("rehearse", `${origin}/webhooks`, ...about);
    assert.equal(status, 0, `${stdout}${stderr}\n${shop.output()}`);
    assert.equal(shop.output().split(`order ${third.id} is paid`).length - 1, 1);
    await shop.kill();
  });
}

/** A secret whose key is empty, as a program has it whose variable is not set. */
const EMPTY = "whsec_";

for (const name of ["django_shop.py", "laravel.php", "main.go"]) {
  test(`${name}: without a secret no event is accepted`, async () => {
    const { origin, shop } = await start(name, "");
    const order = await buy(origin);
    assert.ok((await send(origin, order, PAID, EMPTY)) >= 400);
    assert.equal(await (await fetch(`${origin}/orders/${order.id}`)).text(), "new");
    await shop.kill();
  });
}

/** Runs the function of a recipe that verifies, with a right signature by an empty key. Returns its result, or "refused". */
function verifyForged(
  language: "php" | "python",
  toProgram: (recipe: string, values: readonly string[]) => string[],
) {
  const page = readFileSync(new URL("../../docs/integrate/webhook-recipes.md", import.meta.url), "utf8");
  const recipe = page.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";
  const forged = composeWebhookHeaders([EMPTY], "evt_1", "{}", new Date());
  const values = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => forged[name] ?? "");
  const [program = "", ...args] = toProgram(recipe, values);
  try {
    return execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return /WEBHOOK_SECRET is not set/.test(`${stdout}${stderr}`) ? "refused" : `${stdout}${stderr}`;
  }
}

test("the recipes without a library accept no event without a secret", () => {
  const php = verifyForged("php", (recipe, values) => {
    const verify = /^function verify_webhook[\s\S]*?^}/m.exec(recipe)?.[0];
    return [
      "php",
      "-r",
      `${verify} var_dump(verify_webhook('', '{}', ...array_slice($argv, 1)));`,
      "--",
      ...values,
    ];
  });
  assert.equal(php, "refused");
  const python = verifyForged("python", (recipe, values) => {
    const verify = /^def verify_webhook[\s\S]*?(?=^@app)/m.exec(recipe)?.[0];
    const names = '["webhook-id", "webhook-timestamp", "webhook-signature"]';
    const call = `print(verify_webhook("", b"{}", dict(zip(${names}, sys.argv[1:]))))`;
    return ["python3", "-c", `import base64, hashlib, hmac, sys, time\n${verify}\n${call}`, ...values];
  });
  assert.equal(python, "refused");
});
