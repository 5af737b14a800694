/** The codes and hints of errors, for programs and for the people who write them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listErrorCodes } from "#lib/web/api/errors.ts";
import { startTestApi } from "#tests/support/api.ts";
import { paymentLinkForm } from "#tests/support/payment-link.ts";
import { refused } from "#tests/support/says.ts";

const api = await startTestApi();
const merchant = await api.merchant();
const key = merchant.test;
const create = (changes: Record<string, string>) =>
  api.send({ path: "/payment-links", form: paymentLinkForm(changes), key });
const hintOf = ({ headers }: { readonly headers: Headers }) => headers.get("x-paylink-hint");

test("an error has a code and the address of its explanation, next to its fixed text", async () => {
  assert.deepEqual((await create({ amount: "0" })).body, {
    status: "fail",
    message: "amount must be greater than 0",
    code: "amount_not_positive",
    doc_url: "/v1/docs/errors#amount_not_positive",
  });
  const page = await fetch(`${api.origin}/v1/docs/errors`);
  assert.equal(page.status, 200);
  const html = await page.text();
  for (const { code } of listErrorCodes()) assert.ok(html.includes(`id="${code}"`), code);
});

test("an unknown path, a wrong method and a wrong key have codes too", async () => {
  const answers = [
    [await api.send({ path: "/nowhere", key }), "not_found"],
    [await api.send({ method: "DELETE", path: "/tokens", key }), "method_not_allowed"],
    [await api.send({ path: "/tokens", key: `${key}x` }), "invalid_api_key"],
  ] as const;
  for (const [{ body }, code] of answers) assert.equal((body as { code: string }).code, code);
});

test("an invalid e-mail address is named as such", async () => {
  const details = { email: "ada", first_name: "Ada", last_name: "Obi" };
  refused(
    await create({ customer_details: JSON.stringify(details) }),
    400,
    "(email) of customer_details must be an e-mail address",
  );
  const form = { network: "bep20", customer: JSON.stringify(details) };
  const wallet = await api.send({ path: "/wallets/generate-wallet", form, key });
  refused(wallet, 400, "(email) not found in request body for customer");
  assert.equal((wallet.body as { code: string }).code, "wallet_customer_email_malformed");
  assert.equal(hintOf(wallet), "The e-mail address of the customer is not an e-mail address.");
});

test("a hint names fields that have no effect, in a success and in a failure", async () => {
  const reference = { reference: "A1", "set-cookie: a\r\nb": "1" };
  const created = await create(reference);
  assert.equal(created.status, 200, created.text);
  assert.equal(hintOf(created), "Fields without effect: reference, set-cookie:?a??b.");
  const refusedLink = await create({ ...reference, payment_reference: "" });
  refused(refusedLink, 400, "(payment_reference) not found in request body");
  assert.equal(hintOf(refusedLink), "Fields without effect: reference, set-cookie:?a??b.");
  assert.equal(hintOf(await create({})), null);
  const listed = await api.send({ path: "/payment-links?limit=1&page=2", key });
  assert.deepEqual([listed.status, hintOf(listed)], [200, "Fields without effect: page."]);
  assert.equal(
    hintOf(await api.send({ path: "/payment-links?limit=0&page=2", key })),
    "Fields without effect: page.",
  );
  assert.equal(hintOf(await api.send({ path: "/payment-links?limit=1&count=1&status=open", key })), null);
});
