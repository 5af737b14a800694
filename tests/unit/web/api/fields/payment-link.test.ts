import assert from "node:assert/strict";
import { test } from "node:test";
import { JsonText } from "#lib/platform/json-text.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { createFieldReader } from "#lib/web/api/field-reader.ts";
import { parseUnits } from "#lib/web/api/fields/money.ts";
import { paymentLinkBody } from "#lib/web/api/fields/payment-link.ts";
import type { FieldValue } from "#lib/web/api/read-body.ts";

const readers = {
  live: createFieldReader(paymentLinkBody("live")),
  test: createFieldReader(paymentLinkBody("test")),
};
const CUSTOMER = '{"email":"ada@example.com","first_name":"Ada","last_name":"Obi"}';
const BODY: Record<string, FieldValue> = {
  amount: "25000.50",
  customer_details: CUSTOMER,
  payment_reference: "ORDER1001",
  success_url: "https://shop.example.com/thanks",
  cancel_url: "https://shop.example.com/cart",
};

function read(changes: Record<string, FieldValue>, env: "live" | "test" = "live") {
  return readers[env](new Map(Object.entries({ ...BODY, ...changes })));
}

/** The value of the field, or the reason why it is refused. */
function outcome(name: string, value: FieldValue, env: "live" | "test" = "live"): unknown {
  const result = read({ [name]: value }, env);
  return result.ok ? (result.input as Record<string, unknown>)[name] : result.reason;
}

test("accepts the required fields alone", () => {
  assert.deepEqual(read({}), {
    ok: true,
    input: {
      amount: "25000.50",
      customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
      payment_reference: "ORDER1001",
      success_url: "https://shop.example.com/thanks",
      cancel_url: "https://shop.example.com/cart",
    },
  });
});

test("reports all absent fields in the document's order, before malformed fields", () => {
  const order = ["amount", "customer_details", "payment_reference", "success_url", "cancel_url"];
  const left = new Map<string, FieldValue>(order.map((name) => [name, ""]));
  for (const [at, name] of order.entries()) {
    const names = order.slice(at).join(", ");
    assert.deepEqual(readers.live(left), { ok: false, reason: "fields_missing", name: names });
    left.set(name, "rubbish");
  }
  assert.equal(readers.live(left).ok, false);
});

test("reports malformed fields in the document's order", () => {
  const wrong: [string, FieldValue, string][] = [
    ["amount", "0.001", "amount_too_many_decimals"],
    ["customer_details", "rubbish", "customer_not_object"],
    ["payment_reference", "-", "payment_reference_malformed"],
    ["success_url", "rubbish", "url_not_https"],
    ["cancel_url", "rubbish", "url_not_https"],
    ["expires_at", "rubbish", "expires_at_not_future"],
    ["metadata", "rubbish", "metadata_not_json"],
    ["amount_currency", "rubbish", "currency_not_supported"],
    ["wallets", "rubbish", "wallets_not_array"],
  ];
  for (let from = 0; from < wrong.length; from += 1) {
    // The decimals of the amount depend on the currency. With a wrong currency the amount's decimals are not
    // checked.
    const fields = wrong.slice(from).filter(([name]) => from > 0 || name !== "amount_currency");
    const result = read(Object.fromEntries(fields.map(([name, value]) => [name, value])));
    assert.deepEqual(result, { ok: false, reason: fields[0]?.[2], name: fields[0]?.[0] });
  }
});

const amounts: [FieldValue, string][] = [
  ["1", "1"],
  ["0.01", "0.01"],
  [new JsonText("1e2"), "1e2"],
  [new JsonText("1.10"), "1.10"],
  ["1.100", "1.100"],
  ["1000000000000", "1000000000000"],
  ["1e12", "1e12"],
  ["0", "amount_not_positive"],
  ["-0", "amount_not_positive"],
  ["0e5", "amount_not_positive"],
  [new JsonText("-1"), "amount_not_positive"],
  ["1.001", "amount_too_many_decimals"],
  ["1e-3", "amount_too_many_decimals"],
  [`0.${"1".repeat(30)}`, "amount_too_many_decimals"],
  [`1.${"1".repeat(200)}`, "amount_too_many_decimals"],
  ["1e-4000", "amount_too_many_decimals"],
  ["1000000000000.01", "amount_too_large"],
  [new JsonText("1e400"), "amount_too_large"],
  ["1e4000", "amount_too_large"],
  ["9".repeat(200), "amount_too_large"],
  ...[" 1 ", "+1", ".5", "5.", "007", "0x10", "NaN", "Infinity", "1,5", "1_000", "১", "1n"].map(
    (text): [FieldValue, string] => [text, "not_a_number"],
  ),
  ...["true", "[1]", "{}"].map((text): [FieldValue, string] => [new JsonText(text), "not_a_number"]),
];
for (const [value, expected] of amounts) {
  const shown = (value instanceof JsonText ? value.text : JSON.stringify(value)).slice(0, 40);
  test(`the amount ${shown} is ${expected.slice(0, 40)}`, () =>
    assert.equal(outcome("amount", value), expected));
}

test("the currency limits the decimals and the amount", () => {
  assert.deepEqual(parseUnits("5", CURRENCIES.xof), { ok: true, units: 5n });
  assert.deepEqual(parseUnits("5.5", CURRENCIES.xof), { ok: false, reason: "amount_too_many_decimals" });
  assert.deepEqual(parseUnits("0.00000001", CURRENCIES.btc), { ok: true, units: 1n });
  assert.deepEqual(parseUnits("1e12", CURRENCIES.btc), { ok: true, units: 10n ** 20n });
  assert.deepEqual(read({ amount: "0.001", amount_currency: "BTC" }).ok, true);
});

const customers: [FieldValue, string, string][] = [
  ...["rubbish", "[]", "null", new JsonText("7")].map((value): [FieldValue, string, string] => [
    value,
    "customer_not_object",
    "customer_details",
  ]),
  ['{"email":"a","first_name":"x"}', "customer_field_missing", "last_name"],
  ['{"email":" ","first_name":"x","last_name":"x"}', "customer_field_missing", "email"],
  ["{}", "customer_field_missing", "email, first_name, last_name"],
  ['{"email":"a@b.co"}', "customer_field_missing", "first_name, last_name"],
  ['{"email":"a@b.co","last_name":"x"}', "customer_field_missing", "first_name"],
  ['{"email":"a@b.co","first_name":"x","last_name":""}', "customer_field_missing", "last_name"],
  ['{"email":"a@b.co","first_name":" ","last_name":"x"}', "customer_field_missing", "first_name"],
  ['{"email":"a@b.co","first_name":null,"last_name":"x"}', "customer_field_missing", "first_name"],
  ['{"email":"a@b.co","first_name":7,"last_name":"x"}', "customer_field_missing", "first_name"],
  ...["a", "a@", "@b.co", "a@b", "a b@c.de", "a@b@c.de", "a@b.", "a@b.c\\u0000", "a\\u0001@b.co"].map(
    (email): [FieldValue, string, string] => [
      `{"email":"${email}","first_name":"x","last_name":"x"}`,
      "customer_email_malformed",
      "email",
    ],
  ),
  ['{"email":"a@b.co","first_name":"\\u0000x","last_name":"x"}', "unsupported_character", "first_name"],
  ['{"email":"a@b.co","first_name":"\\ud800x","last_name":"x"}', "unsupported_character", "first_name"],
  [`{"email":"a@b.co","first_name":"${"x".repeat(256)}","last_name":"x"}`, "field_too_long", "first_name"],
  ['{"email":"a@b.co","first_name":"x","last_name":"x","phone":5}', "not_a_string", "phone"],
];
for (const [value, reason, name] of customers) {
  const shown = (value instanceof JsonText ? value.text : value).slice(0, 70);
  test(`refuses the customer details ${shown}: ${reason} ${name}`, () => {
    assert.deepEqual(read({ customer_details: value }), { ok: false, reason, name });
  });
}

test("accepts customer details as an object, with names in any script", () => {
  const details = { email: "zoë+1@bücher.example", first_name: "Zoë 🙂", last_name: "O’Hara", phone: null };
  assert.deepEqual(outcome("customer_details", new JsonText(JSON.stringify(details))), details);
});

test("a payment reference has 1 to 20 letters and digits", () => {
  for (const good of ["a", "Z9", "x".repeat(20)]) assert.equal(outcome("payment_reference", good), good);
  for (const bad of ["x".repeat(21), "a-b", "a b", "é", "a\n", "a\0", new JsonText("7")]) {
    assert.equal(outcome("payment_reference", bad), "payment_reference_malformed");
  }
});

const goodUrls = [
  ...["https://a.co", "HTTPS://A.co:8443/x?y=z#w", "https://a.co/x@y?e=a@b.co"],
  ...["https://münchen.example/ü", "https://[2a00::5]/"],
];
const badUrls: FieldValue[] = [
  ...["http://a.co", "ftp://a.co", "javascript:alert(1)", "//a.co", "https:a.co", "https:///a", "https://"],
  ...[
    "https://user@a.co",
    "https://user:pass@a.co/",
    "https://@a.co",
    "https://a.co\\@b.co",
    " https://a.co",
  ],
  ...["https://a.co/\n", "https://a.co/a b", "https://a.co/\0", "https://a.co/\ud800", "https://a.co:99999"],
  ...["http://localhost:3000/ok", new JsonText("7")],
];
test("accepts https redirect URLs without user info", () => {
  for (const url of goodUrls) assert.equal(outcome("success_url", url), url);
  for (const url of badUrls) assert.equal(outcome("cancel_url", url), "url_not_https", String(url));
});

test("says that a redirect URL is too long", () => {
  const url = `https://a.co/${"x".repeat(2048 - "https://a.co/".length)}`;
  assert.equal(outcome("success_url", url), url);
  assert.deepEqual(read({ success_url: `${url}x` }), {
    ok: false,
    reason: "field_too_long",
    name: "success_url",
  });
});

test("accepts http redirect URLs of the local machine in the test environment", () => {
  const local = [
    "http://localhost:3000/ok",
    "http://127.0.0.1/",
    "http://[::1]:8080",
    "http://shop.localhost",
  ];
  for (const url of local) {
    assert.equal(outcome("success_url", url, "test"), url);
    assert.equal(outcome("success_url", url, "live"), "url_not_https");
  }
  for (const url of ["http://a.co", "http://127.0.0.1.a.co/", "http://localhost.a.co", "http://u@localhost"])
    assert.equal(outcome("success_url", url, "test"), "url_not_https");
});

const times: [string, string][] = [
  ["2026-03-01T12:00:01Z", "2026-03-01T12:00:01.000Z"],
  ["2026-03-01T12:30", "2026-03-01T12:30:00.000Z"],
  ["2026-03-01T13:30:00+01:00", "2026-03-01T12:30:00.000Z"],
  ["2026-03-01T07:30:00-0500", "2026-03-01T12:30:00.000Z"],
  ["2026-03-02T00:00:00.9991Z", "2026-03-02T00:00:00.999Z"],
  ["2026-03-01T12:00:00,5", "2026-03-01T12:00:00.500Z"],
  ["2028-02-29T00:00:00", "2028-02-29T00:00:00.000Z"],
  ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000Z"],
];
const noTimes: FieldValue[] = [
  ...["2026-02-30T00:00:00Z", "2027-02-29T00:00:00Z", "2027-13-01T00:00:00Z", "2027-01-01T24:00:00Z"],
  ...["2027-01-01T00:60:00Z", "2027-01-01T00:00:00+25:00", "2027-01-01 00:00:00", "2027-01-01"],
  ...["1893456000", "tomorrow", "+010000-01-01T00:00:00Z", new JsonText("1893456000")],
];
test("expires_at is an ISO 8601 date-time, in UTC by default", () => {
  for (const [text, expected] of times)
    assert.deepEqual(outcome("expires_at", text), new Date(expected), text);
  for (const value of noTimes)
    assert.equal(outcome("expires_at", value), "expires_at_not_future", String(value));
});

test("keeps the text of metadata, any JSON of at most 8 KiB", () => {
  for (const text of ['{ "a": 1.0 }', "[]", "null", "1e400", '"x"', '{"a":"\\ud800\\u0000"}']) {
    assert.equal(outcome("metadata", text), text);
    if (text !== "null") assert.equal(outcome("metadata", new JsonText(text)), text);
  }
  const largest = `"${"é".repeat(4095)}"`;
  assert.equal(outcome("metadata", largest), largest);
  assert.equal(outcome("metadata", `"${"é".repeat(4096)}"`), "metadata_too_large");
  for (const text of ["hello", "{", '{"a":1}x', '"\ud800"', '"\0"', "undefined"]) {
    assert.equal(outcome("metadata", text), "metadata_not_json");
  }
});

test("accepts currencies in upper and lower case, and no funds, metals or words", () => {
  assert.equal(outcome("amount_currency", "USD"), "usd");
  for (const bad of ["clf", "xau", "constructor", new JsonText("7")]) {
    assert.equal(outcome("amount_currency", bad), "currency_not_supported");
  }
});

const pair = (network: unknown, token: unknown) => ({ network, token });
const walletLists: [unknown, unknown][] = [
  [[], []],
  [[pair("bep20", "usdt")], [pair("bep20", "usdt")]],
  [
    [pair("trc20", "USDT"), pair("bitcoin", "Btc")],
    [pair("trc20", "usdt"), pair("bitcoin", "btc")],
  ],
  ...[{}, "bep20", 7].map((list): [unknown, unknown] => [list, "wallets_not_array"]),
  ...[null, "bep20", pair("BEP20", "USDT"), pair("bep20", "BTC"), pair("bep20", undefined)].map(
    (one): [unknown, unknown] => [[one], "wallet_pair_unsupported"],
  ),
  [[pair(["bep20"], "USDT")], "wallet_pair_unsupported"],
  [[pair("bep20", "USDT"), pair("bep20", "usdt")], "wallet_network_repeated"],
  [[pair("bep20", "USDT"), pair("bep20", "usdt"), pair("solana", "BTC")], "wallet_pair_unsupported"],
];
test("accepts wallets of supported pairs, one per network, as a list or its text", () => {
  for (const [list, expected] of walletLists) {
    const text = JSON.stringify(list);
    assert.deepEqual(outcome("wallets", text), expected, text);
    assert.deepEqual(outcome("wallets", new JsonText(text)), expected, text);
  }
  assert.equal(outcome("wallets", "[{"), "wallets_not_array");
});
