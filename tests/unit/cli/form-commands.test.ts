import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { type WidgetScript, writeWidgetScript } from "#packages/widget/build.ts";
import { openTestCli, type Row } from "#tests/support/run-cli.ts";
import { aWorld, type World } from "#tests/unit/domain/payment-links/world.ts";
import { readDecisions } from "./decisions.ts";

const EMAIL = "shop@example.com";
let world: World;
let script: WidgetScript;
before(async () => {
  world = await aWorld();
  script = await writeWidgetScript();
});
after(() => world.close());

const cli = openTestCli(() => ({
  DATABASE_URL: world.url,
  PAYMENT_URL: "https://pay.example.com",
  USER: "ada",
}));

test("a form is created, shown, listed, changed and archived, and each decision is recorded", async () => {
  const made = await cli.answer(
    `form create ${EMAIL} --env test --title T-shirt --amount 38250 --stock 5 --ask email note --fields Size`,
  );
  const code = String(made.form);
  assert.partialDeepStrictEqual(made, {
    env: "test",
    merchant: EMAIL,
    form_url: `https://pay.example.com/buy/${code}`,
    title: "T-shirt",
    amount: "38250",
    amount_currency: "ngn",
    ask: ["email", "note"],
    fields: ["Size"],
    stock: 5,
    taken_quantity: 0,
  });
  const { snippet, snippet_pinned, ...shown } = await cli.answer(`form show ${code}`);
  assert.deepEqual(shown, made);
  const link = `<a href="https://pay.example.com/buy/${code}" data-paylink-form="${code}">Buy</a>`;
  assert.equal(snippet, `<script async src="https://pay.example.com/checkout.js"></script>\n${link}`);
  const file = readFileSync(new URL(`../../../public/${script.pinnedName}`, import.meta.url));
  const integrity = `sha384-${createHash("sha384").update(file).digest("base64")}`;
  const source = `src="https://pay.example.com/${script.pinnedName}"`;
  assert.ok(
    String(snippet_pinned).includes(`${source} crossorigin="anonymous" integrity="${integrity}"`),
    String(snippet_pinned),
  );

  assert.deepEqual(await cli.answer(`form list --env test --merchant ${EMAIL}`), [made]);
  assert.deepEqual(await cli.answer("form list"), []);
  const changed = await cli.answer(`form update ${code} --clear stock amount --minimum-amount 500`);
  assert.partialDeepStrictEqual(changed, { stock: null, amount: null, minimum_amount: "500" });
  assert.notEqual((await cli.answer(`form archive ${code}`)).archived_at, null);
  assert.deepEqual(await cli.answer("form list --env test"), []);
  assert.equal((await cli.answer<Row[]>("form list --env test --archived")).length, 1);
  const recorded = await readDecisions(world.db);
  assert.deepEqual(
    recorded.map(({ actor, action, subject }) => [actor, action, subject]),
    ["form.create", "form.update", "form.archive"].map((action) => [
      ...["operator:ada", action, `form:${code}`],
    ]),
  );
});

test("a form that cannot work, and an unknown one, are refused in one line", async () => {
  const create = `form create ${EMAIL} --title T`;
  await cli.refuses({
    [`${create} --amount 0`]: /^amounts must be above 0/,
    [`${create} --amount 5 --minimum-amount 1`]: /^the amounts contradict each other/,
    [`${create} --success-url javascript:alert(1)`]: /must be https URLs$/m,
    "form create nobody@example.com --title T": /^no merchant has this e-mail address/,
    "form show 1111": "no form has this identifier: see `form list`",
  });
  await cli.misuses(
    /Allowed choices are email, name, phone, note, nothing/,
    `form create ${EMAIL} --title T --ask age`,
  );
  await cli.misuses(/Allowed choices/, "form update 1111 --clear title");
});
