import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestBody } from "#packages/client/src/client.ts";
import { startTestApi } from "#tests/support/api.ts";
import { refused, successOf } from "#tests/support/says.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const api = await startTestApi({ now: () => NOW });
const merchant = await api.merchant();
const other = await api.merchant();

type NewForm = RequestBody<"/forms">;
const create = (body: NewForm, by = merchant.test) => api.client(by).POST("/forms", { body });
const get = (form: string, by = merchant.test) =>
  api.client(by).GET("/forms/{form}", { params: { path: { form } } });
const patch = (form: string, body: object, by = merchant.test) =>
  api.client(by).PATCH("/forms/{form}", { params: { path: { form } }, body });
const archive = (form: string, by = merchant.test) =>
  api.client(by).DELETE("/forms/{form}", { params: { path: { form } } });
const NOT_FOUND = "form not found";

const SHIRT: NewForm = { title: "T-shirt", amount: "38250.50" };

test("a form has a page, exact amounts and defaults", async () => {
  const { data } = successOf(await create(SHIRT));
  assert.match(data.form, /^[1-9A-HJ-NP-Za-km-z]{22}$/);
  const { form, form_url, ...rest } = data;
  assert.equal(form_url, `https://pay.example.com/buy/${form}`);
  assert.deepEqual(rest, {
    title: "T-shirt",
    description: null,
    picture_url: null,
    amount: "38250.5",
    amount_currency: "ngn",
    minimum_amount: null,
    maximum_amount: null,
    suggested_amounts: [],
    ask: ["email", "name"],
    fields: [],
    max_quantity: 1,
    stock: null,
    total_limit: null,
    taken_quantity: 0,
    taken_amount: "0",
    payment_reference: form.slice(0, 20),
    success_url: null,
    cancel_url: null,
    expires_at: null,
    archived_at: null,
    created_at: NOW.toISOString(),
    updated_at: NOW.toISOString(),
  });
  assert.deepEqual(successOf(await get(form)).data, data);
});

test("a form keeps everything that it is given, from JSON and from form fields", async () => {
  const body: NewForm = {
    title: "Help us",
    description: "First line\nsecond line",
    amount_currency: "usd",
    minimum_amount: "1",
    maximum_amount: "1000",
    suggested_amounts: ["5", "20.50"],
    ask: ["note", "phone"],
    fields: ["Size", "Color"],
    max_quantity: 3,
    stock: 100,
    total_limit: "5000",
    payment_reference: "HELP",
    success_url: "https://shop.example.com/thanks",
    cancel_url: "https://shop.example.com/",
    expires_at: "2026-12-31T00:00:00Z",
  };
  const { data } = successOf(await create(body));
  const { suggested_amounts, ask, expires_at, ...shown } = body;
  for (const [name, value] of Object.entries(shown)) assert.deepEqual(data[name as "title"], value, name);
  assert.deepEqual(data.suggested_amounts, ["5", "20.5"]);
  assert.deepEqual(data.ask, ["phone", "note"]);
  assert.equal(data.expires_at, "2026-12-31T00:00:00.000Z");
  const form = { ...shown, suggested_amounts: '["5"]', ask: '["email"]', fields: '["Size"]' };
  const texts = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, String(value)]));
  const sent = await api.send({ path: "/forms", form: texts, key: merchant.test });
  assert.equal(sent.status, 200, sent.text);
});

test("a form that cannot work is refused, with the reason", async () => {
  const texts: [Partial<Record<keyof NewForm, unknown>>, string][] = [
    [{ title: "x".repeat(101) }, "title must be one line of 1 to 100 characters"],
    [{ title: "two\nlines" }, "title must be one line of 1 to 100 characters"],
    [{ description: "x".repeat(1001) }, "description must be plain text of at most 1000 characters"],
    [{ amount_currency: "xyz" }, "amount_currency not supported"],
    [{ amount: "0" }, "amount must be greater than 0"],
    [{ amount: "1.005" }, "amounts must be above 0, at most 1e12, with at most the currency's decimals"],
    [{ amount: "1e13" }, "amounts must be above 0, at most 1e12, with at most the currency's decimals"],
    ...["minimum_amount", "maximum_amount"].map((name): [object, string] => [
      { [name]: "5" },
      "amount excludes minimum_amount, maximum_amount and suggested_amounts; suggestions must be different and between them",
    ]),
    [{ ask: ["iban"] }, "ask must be a list of email, name, phone or note"],
    [{ ask: "email" }, "(ask) must be a list of texts"],
    [{ fields: ["a", "b", "c", "d"] }, "fields must be at most 3 different lines of 1 to 60 characters"],
    [{ fields: ["a", "a"] }, "fields must be at most 3 different lines of 1 to 60 characters"],
    [{ max_quantity: 1001 }, "max_quantity must be from 1 to 1000"],
    [{ max_quantity: 1.5 }, "(max_quantity) must be a number"],
    [{ stock: 100_001 }, "stock must be from 0 to 100000"],
    [{ payment_reference: "a b" }, "payment_reference must be 1 to 20 letters and digits"],
    ...["javascript:alert(1)", "http://shop.example.com", "https://a@b.example", "//x"].map(
      (success_url): [object, string] => [{ success_url }, "success_url and cancel_url must be https urls"],
    ),
    [{ cancel_url: "data:text/html,x" }, "success_url and cancel_url must be https urls"],
    [{ expires_at: "2026-01-01T00:00:00Z" }, "expires_at must be a future iso 8601 date-time"],
  ];
  for (const [changes, message] of texts)
    refused(await create({ ...SHIRT, ...changes } as NewForm), 400, message);
  for (const open of [
    { minimum_amount: "5", maximum_amount: "4" },
    { minimum_amount: "5", suggested_amounts: ["4"] },
    { suggested_amounts: ["4", "4.00"] },
  ])
    assert.equal((await create({ title: "Open", ...open })).response.status, 400);
});

test("a change keeps the rest, clears what it names, and is refused where the whole would not work", async () => {
  const { form } = successOf(await create({ ...SHIRT, stock: 5, description: "Blue" })).data;
  const changed = successOf(await patch(form, { stock: 7, title: "Shirt", clear: ["description"] })).data;
  assert.deepEqual([changed.stock, changed.title, changed.description], [7, "Shirt", null]);
  assert.equal(changed.amount, "38250.5");
  assert.equal((await patch(form, { minimum_amount: "5" })).response.status, 400);
  const unclear = "clear must be a list of fields that a form can be without";
  refused(await patch(form, { clear: ["title"] }), 400, unclear);
  const open = successOf(await patch(form, { clear: ["amount"], minimum_amount: "5" })).data;
  assert.deepEqual([open.amount, open.minimum_amount], [null, "5"]);
});

test("an archived form stays readable, leaves the list and changes no more", async () => {
  const { form } = successOf(await create(SHIRT)).data;
  const archived = successOf(await archive(form)).data;
  assert.equal(archived.archived_at, NOW.toISOString());
  assert.deepEqual(successOf(await archive(form)).data, archived, "archiving it again changes nothing");
  refused(await patch(form, { title: "x" }), 422, "form is archived");
  assert.deepEqual(successOf(await get(form)).data, archived);
  const listed = async (query: object) =>
    successOf(await api.client(merchant.test).GET("/forms", { params: { query } })).data.map(
      (one) => one.form,
    );
  assert.ok(!(await listed({})).includes(form));
  assert.equal((await listed({ archived: "1" }))[0], form);
});

test("another merchant's form, and the other environment's, does not exist", async () => {
  const { form } = successOf(await create(SHIRT)).data;
  for (const key of [other.test, merchant.live]) {
    refused(await get(form, key), 404, NOT_FOUND);
    refused(await patch(form, { title: "x" }, key), 404, NOT_FOUND);
    refused(await archive(form, key), 404, NOT_FOUND);
  }
  refused(await get("' or 1=1"), 404, NOT_FOUND);
  assert.deepEqual(successOf(await api.client(other.test).GET("/forms", { params: { query: {} } })).data, []);
});

test("a repeated Idempotency-Key creates one form", async () => {
  const request = () =>
    api.client(merchant.test).POST("/forms", { body: SHIRT, headers: { "Idempotency-Key": "form-1" } });
  assert.deepEqual(successOf(await request()).data, successOf(await request()).data);
});
