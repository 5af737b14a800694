import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { type CliRun, runCli } from "#tests/support/run-cli.ts";
import { aWorld, type World } from "#tests/unit/domain/payment-links/world.ts";

const EMAIL = "shop@example.com";
let world: World;
before(async () => {
  world = await aWorld();
  const run = spawnSync(process.execPath, ["lib/widget/build.ts"], { encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
});
after(() => world.close());

type Row = Record<string, unknown>;
const form = (...args: string[]) =>
  runCli({ DATABASE_URL: world.url, PAYMENT_URL: "https://pay.example.com", USER: "ada" }, "form", ...args);
function answer<T = Row>(run: CliRun): T {
  assert.equal(run.status, 0, run.stderr);
  return run.json() as T;
}

test("a form is created, shown, listed, changed and archived, and each decision is recorded", async () => {
  const terms = ["--env", "test", "--title", "T-shirt", "--amount", "38250", "--stock", "5"];
  const made = answer(form("create", EMAIL, ...terms, "--ask", "email", "note", "--fields", "Size"));
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
  const { snippet, snippet_pinned, ...shown } = answer(form("show", code));
  assert.deepEqual(shown, made);
  const link = `<a href="https://pay.example.com/buy/${code}" data-paylink-form="${code}">Buy</a>`;
  assert.equal(snippet, `<script async src="https://pay.example.com/checkout.js"></script>\n${link}`);
  const pinned = readdirSync("public").filter((name) => name.startsWith("checkout-"));
  const [, name, integrity] =
    /src="https:\/\/pay\.example\.com\/([^"]+)" crossorigin="anonymous" integrity="([^"]+)"/.exec(
      String(snippet_pinned),
    ) ?? [];
  assert.ok(pinned.includes(String(name)), String(snippet_pinned));
  const digest = createHash("sha384")
    .update(readFileSync(`public/${name}`))
    .digest("base64");
  assert.equal(integrity, `sha384-${digest}`);
  assert.deepEqual(answer<Row[]>(form("list", "--env", "test", "--merchant", EMAIL)), [made]);
  assert.deepEqual(answer(form("list")), []);
  const changed = answer(form("update", code, "--clear", "stock", "amount", "--minimum-amount", "500"));
  assert.partialDeepStrictEqual(changed, { stock: null, amount: null, minimum_amount: "500" });
  assert.notEqual(answer(form("archive", code)).archived_at, null);
  assert.deepEqual(answer(form("list", "--env", "test")), []);
  assert.equal(answer<Row[]>(form("list", "--env", "test", "--archived")).length, 1);
  const entries = await world.db.select().from(auditLog).orderBy(auditLog.id);
  const actor = "operator:ada";
  assert.deepEqual(
    entries.map((entry) => [entry.actor, entry.action, entry.subject]),
    ["form.create", "form.update", "form.archive"].map((action) => [actor, action, `form:${code}`]),
  );
});

test("a form that cannot work, and an unknown one, are refused in one line", () => {
  const refused = (args: string[], status: number, message: RegExp) => {
    const run = form(...args);
    assert.deepEqual([run.status, run.stdout], [status, ""]);
    assert.match(run.stderr, message);
  };
  const create = ["create", EMAIL, "--title", "T"];
  refused([...create, "--amount", "0"], 1, /^amounts must be above 0/);
  refused([...create, "--amount", "5", "--minimum-amount", "1"], 1, /^the amounts contradict each other/);
  refused([...create, "--success-url", "javascript:alert(1)"], 1, /must be https URLs$/m);
  refused([...create, "--ask", "age"], 2, /Allowed choices are email, name, phone, note, nothing/);
  refused(["create", "nobody@example.com", "--title", "T"], 1, /^no merchant has this e-mail address/);
  refused(["show", "1111"], 1, /^no form has this identifier: see `form list`$/m);
  refused(["update", "1111", "--clear", "title"], 2, /Allowed choices/);
});
