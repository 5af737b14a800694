/**
 * The requests of plugins that no test here runs, as their sources write them: headers, slashes, bodies, and the fields that they read. The
 * invoices of all are paid the same way.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type GreenfieldResponse, startTestGreenfield } from "#tests/support/greenfield.ts";
import { keepSecrets } from "#tests/support/kept-logs.ts";
import { payShop } from "#tests/support/shop-payments.ts";
import { fund, USDT } from "#tests/support/withdrawals.ts";

const greenfield = await startTestGreenfield();
const { api } = greenfield;
const { db } = api.database;
const store = await greenfield.store();

type Kind = "text" | "decimal" | "seconds" | "flag" | "list";
const KINDS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string" && value !== "",
  decimal: (value) => typeof value === "string" && /^\d+(\.\d+)?$/.test(value),
  seconds: (value) => Number.isSafeInteger(value),
  flag: (value) => typeof value === "boolean",
  list: Array.isArray,
};

interface Replay {
  readonly plugin: string;
  /** The headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Below the store. */
  readonly invoices?: string;
  readonly invoice: Readonly<Record<string, unknown>>;
  /** The order id in the invoice's list. null: the plugin sends none. */
  readonly order: string | null;
  /** Absent: a person makes it. */
  readonly webhook?: Readonly<Record<string, unknown>>;
  /** The fields that the plugin reads of an invoice. */
  readonly reads: Readonly<Record<string, Kind>>;
}

const JSON_ALONE = { "content-type": "application/json" };
const GUID = "6f9619ff-8b86-d011-b42d-00c04fc964ff";
const HOOK = "https://shop.example.com/hook";
const INVOICE = { id: "text", status: "text", checkoutLink: "text" } as const;
const SIX = [
  ...["InvoiceReceivedPayment", "InvoiceProcessing", "InvoiceExpired", "InvoiceSettled", "InvoiceInvalid"],
  "InvoicePaymentSettled",
];
/** The options of a checkout as BTCPay's clients write them: those that are not set are null. */
const UNSET = {
  ...{ speedPolicy: null, paymentMethods: null, defaultPaymentMethod: null, expirationMinutes: null },
  ...{ monitoringMinutes: null, paymentTolerance: null, lazyPaymentMethods: null },
};

const REPLAYS: readonly Replay[] = [
  {
    plugin: "Magento 2",
    invoice: {
      ...{ amount: "16000", currency: "NGN" },
      metadata: {
        ...{ buyerName: "Ada Obi", buyerCountry: "US", buyerZip: "1000", buyerCity: "X", buyerState: null },
        ...{ buyerPhone: "+1 555", physical: true, taxIncluded: false, magentoOrderId: "7" },
        ...{ buyerCompany: null, magentoStoreId: 1, orderId: "000000012", buyerEmail: "ada@example.com" },
      },
      checkout: {
        ...UNSET,
        redirectURL:
          "https://shop.example.com/btcpay/redirect/returnafterpayment/orderId/7/invoiceId/{InvoiceId}/hash/x/",
        ...{ redirectAutomatically: true, defaultLanguage: "en-US" },
      },
    },
    order: "000000012",
    webhook: {
      ...{ enabled: true, automaticRedelivery: true, url: `${HOOK}/rest/V2/btcpay/webhook` },
      ...{ authorizedEvents: { everything: true }, secret: "a1b2c3" },
    },
    reads: {
      ...INVOICE,
      ...{ additionalStatus: "text", amount: "decimal", storeId: "text", currency: "text" },
    },
  },
  {
    plugin: "Shopware 6",
    invoice: {
      ...{ amount: 16000, currency: "NGN" },
      metadata: { orderId: GUID.replaceAll("-", ""), orderNumber: "10001", transactionId: "t1" },
      checkout: { redirectURL: "https://shop.example.com/account/order/1", redirectAutomatically: true },
    },
    order: GUID.replaceAll("-", ""),
    webhook: { url: HOOK },
    reads: { ...INVOICE, additionalStatus: "text" },
  },
  {
    plugin: "WHMCS (TheOnionHost)",
    headers: { ...JSON_ALONE, accept: "application/json" },
    invoice: {
      ...{ amount: "16000.00000000", currency: "NGN", metadata: { orderId: "31", buyerEmail: "" } },
      checkout: {
        redirectURL: "https://shop.example.com/viewinvoice.php?id=31&paymentsuccess=true",
        speedPolicy: "MediumSpeed",
      },
    },
    order: "31",
    reads: {
      ...INVOICE,
      storeId: "text",
      amount: "decimal",
      paidAmount: "decimal",
      additionalStatus: "text",
    },
  },
  {
    plugin: "nopCommerce and Smartstore",
    headers: { "content-type": "application/json; charset=utf-8" },
    invoice: {
      ...{ amount: "16000.0", additionalSearchTerms: null, currency: "NGN", type: "Standard" },
      metadata: {
        ...{ buyerEmail: "ada@example.com", buyerName: "Ada Obi", orderId: GUID },
        ...{ orderUrl: "https://shop.example.com/orderdetails/7", itemDesc: "From Shop" },
      },
      checkout: { ...UNSET, redirectURL: HOOK, redirectAutomatically: true, defaultLanguage: "en" },
      receipt: { enabled: true, showQR: null, showPayments: null },
    },
    order: GUID,
    webhook: {
      ...{ enabled: true, automaticRedelivery: true, url: HOOK, secret: null },
      authorizedEvents: { everything: false, specificEvents: SIX },
    },
    reads: {
      ...{ ...INVOICE, additionalStatus: "text", amount: "decimal", currency: "text", type: "text" },
      ...{ createdTime: "seconds", expirationTime: "seconds", monitoringExpiration: "seconds" },
      ...{ archived: "flag", availableStatusesForManualMarking: "list" },
    },
  },
  {
    plugin: "GrandNode",
    headers: { "content-type": "application/json; charset=utf-8" },
    invoice: {
      ...{ amount: "16000.0", additionalSearchTerms: null, currency: "NGN" },
      metadata: {
        ...{ buyerEmail: null, buyerName: "Ada Obi", orderId: GUID },
        ...{ orderUrl: "https://shop.example.com/OrderBTCPayServer/Index/7", itemDesc: "From Shop" },
      },
      checkout: {
        ...{ ...UNSET, redirectURL: "https://shop.example.com/checkout/completed" },
        ...{ redirectAutomatically: true, requiresRefundEmail: false, defaultLanguage: "en" },
      },
      receipt: { enabled: true, showQR: null, showPayments: null },
    },
    order: GUID,
    webhook: {
      ...{ enabled: true, automaticRedelivery: true, url: HOOK, secret: null },
      authorizedEvents: { everything: true, specificEvents: SIX },
    },
    reads: { ...INVOICE, additionalStatus: "text", amount: "decimal", currency: "text" },
  },
  {
    plugin: "XenForo",
    invoice: {
      ...{ amount: "16000", currency: "NGN" },
      metadata: { request_key: "k-1", purchase_request_id: 5, itemDesc: "Account upgrade: Gold" },
      checkout: { ...UNSET, redirectURL: "https://shop.example.com/x", redirectAutomatically: true },
    },
    order: null,
    reads: INVOICE,
  },
  {
    plugin: "GiveWP",
    invoice: {
      ...{ amount: "16000.00", currency: "NGN" },
      metadata: {
        orderUrl: "https://shop.example.com/wp-admin/edit.php?post_type=give_forms&id=9",
        orderId: 9,
      },
      checkout: { ...UNSET, redirectURL: "https://shop.example.com/?give-listener=x&amp;y=1" },
    },
    order: "9",
    webhook: {
      ...{ enabled: true, automaticRedelivery: true, url: HOOK },
      authorizedEvents: { everything: false, specificEvents: SIX },
    },
    reads: INVOICE,
  },
  {
    plugin: "VirtueMart",
    invoice: {
      ...{
        amount: "16000",
        currency: "NGN",
        metadata: { orderId: "AB12034", buyerEmail: "ada@example.com" },
      },
      checkout: { ...UNSET, redirectURL: "https://shop.example.com/index.php?on={OrderId}&Itemid=1" },
    },
    order: "AB12034",
    webhook: {
      ...{ enabled: true, automaticRedelivery: true, url: HOOK },
      authorizedEvents: { everything: true },
    },
    reads: { ...INVOICE, expirationTime: "seconds", additionalStatus: "text" },
  },
  {
    plugin: "Zapier",
    headers: { "content-type": "application/json; charset=utf-8", "user-agent": "Zapier" },
    invoices: "/invoices/",
    invoice: {
      ...{ amount: 16000, currency: "NGN", metadata: { orderId: "ABC-123456", buyerName: "Ada" } },
      checkout: {},
    },
    order: "ABC-123456",
    webhook: {
      ...{ url: HOOK, enabled: true, automaticRedelivery: true },
      authorizedEvents: { everything: false, specificEvents: ["InvoiceSettled"] },
    },
    reads: {
      ...{ ...INVOICE, storeId: "text", additionalStatus: "text", archived: "flag", amount: "decimal" },
      ...{ createdTime: "seconds", expirationTime: "seconds", monitoringExpiration: "seconds" },
      availableStatusesForManualMarking: "list",
    },
  },
  {
    plugin: "Cal.com",
    headers: { ...JSON_ALONE, accept: "application/json" },
    invoice: {
      metadata: {
        ...{ orderId: "cal-booking-77", itemDesc: "30 min meeting", appId: "cal.com", referenceId: GUID },
        ...{ customerName: "Ada", customerEmail: "ada@example.com" },
      },
      ...{ checkout: { buyerEmail: "ada@example.com" }, receipt: { enabled: true } },
      ...{ amount: 20_000, currency: "SATS", additionalSearchTerms: ["cal-booking-77", "Ada"] },
    },
    order: "cal-booking-77",
    reads: {
      ...INVOICE,
      amount: "decimal",
      currency: "text",
      createdTime: "seconds",
      expirationTime: "seconds",
    },
  },
];

const at = (body: Readonly<Record<string, unknown>>, reads: Replay["reads"]) =>
  Object.entries(reads).filter(([name, kind]) => !KINDS[kind](body[name]));
const ok = (answer: GreenfieldResponse) => {
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};

for (const {
  plugin,
  headers = JSON_ALONE,
  invoices = "/invoices",
  invoice,
  order,
  webhook,
  reads,
} of REPLAYS)
  describe(plugin, () => {
    const ask = (method: string, path: string, json?: unknown) =>
      greenfield.send({
        ...{ method, path: `/api/v1/stores/${store.id}${path}`, key: store.key, headers },
        ...(json !== undefined && { json }),
      });

    if (webhook !== undefined)
      test("makes its webhook and finds it again", async () => {
        const made = ok(await ask("POST", "/webhooks", webhook));
        assert.ok(KINDS.text(made.secret) && KINDS.text(made.id));
        assert.equal(made.secret, webhook.secret ?? made.secret);
        const [found] = ok(await ask("GET", "/webhooks"));
        assert.deepEqual([found.url, found.enabled, found.secret], [webhook.url, true, undefined]);
        assert.deepEqual(ok(await ask("GET", `/webhooks/${made.id}`)), found);
        assert.equal((await ask("DELETE", `/webhooks/${made.id}`)).status, 200);
      });

    test("makes an invoice, and reads it by its id and its order", async () => {
      const made = ok(await ask("POST", invoices, invoice));
      assert.deepEqual(at(made, reads), []);
      assert.match(made.checkoutLink, /\/i\//);
      const { metadata } = invoice;
      assert.deepEqual(made.metadata, metadata);
      assert.deepEqual(ok(await ask("GET", `${invoices.replace(/\/$/, "")}/${made.id}`)), made);
      const url = made.checkout.redirectURL;
      assert.ok(url === null || !/[{}]|&amp;/.test(url), url);
      if (order === null) return;
      for (const name of ["orderId", "orderId%5B%5D"])
        assert.equal(ok(await ask("GET", `/invoices?${name}=${order}`))[0].id, made.id, name);
    });
  });

/** An invoice of 16000 NGN with so many hundredths of USDT paid. */
async function aPaidInvoice(cents: bigint): Promise<string> {
  const shopper = payShop(api, store.merchant);
  const terms = { amount: "16000", payment_reference: "ORDER1", amount_currency: "ngn" } as const;
  const { refid, addressId } = await shopper.invoice(terms);
  await shopper.credit(await shopper.pay(addressId, cents));
  return refid;
}

test("WHMCS credits what its sum of the methods says", async () => {
  const refid = await aPaidInvoice(1_067n);
  const invoice = ok(await store.send("GET", `/invoices/${refid}`));
  assert.deepEqual([invoice.status, invoice.paidAmount], ["Settled", "16000"]);
  const methods = ok(await store.send("GET", `/invoices/${refid}/payment-methods`));
  const paid = methods.reduce(
    (sum: number, { paymentMethodPaid, rate }: Record<string, string>) =>
      sum + Number(paymentMethodPaid) * Number(rate),
    0,
  );
  assert.ok(Math.abs(paid - 16_000) < 16, String(paid));
  assert.deepEqual([methods.length, methods[0].due], [1, "0"]);
});

test("nopCommerce and Smartstore refund a part in the order's currency, then all that is left", async () => {
  await fund(db, api.services.networks.find("test", "bep20")!, store.merchant.id, 100n * USDT);
  const refid = await aPaidInvoice(1_067n);
  const methods = ok(await store.send("GET", `/invoices/${refid}/payment-methods`));
  const { paymentMethodId } = methods.find(({ payments }: { payments: unknown[] }) => payments.length > 0);
  const name = `Refund order ${GUID}`;
  const common = { name, payoutMethods: null, subtractPercentage: "0" };
  const part = { refundVariant: "Custom", customAmount: "4000.0", customCurrency: "NGN" };
  const asked = [
    { ...common, ...part, payoutMethodId: paymentMethodId, description: "Partial refund" },
    {
      ...{ ...common, payoutMethodId: "BTC", description: "Full", refundVariant: "Fiat" },
      ...{ customAmount: null, customCurrency: null },
    },
  ];
  const amounts: string[] = [];
  for (const json of asked) {
    const made = ok(await store.send("POST", `/invoices/${refid}/refund`, json));
    keepSecrets(made.viewLink.split("/").at(-1) ?? "");
    assert.deepEqual([made.name, made.currency, KINDS.text(made.viewLink)], [name, "USDT", true]);
    amounts.push(made.amount);
  }
  assert.deepEqual(amounts, ["2.6675", "8.0025"]);
});

test("GrandNode refunds a part in the order's currency, then all that is left, with the method's older name", async () => {
  await fund(db, api.services.networks.find("test", "bep20")!, store.merchant.id, 100n * USDT);
  const refid = await aPaidInvoice(1_067n);
  const name = `Refund order ${GUID}`;
  const part = { refundVariant: "Custom", customAmount: "4000.0", customCurrency: "NGN" };
  const amounts: string[] = [];
  // Its client knows the older name alone, so it reads no method of the invoice.
  for (const asked of [
    { ...part, name, description: "Partial refund", paymentMethod: null },
    { name, description: "Full", paymentMethod: "BTC", refundVariant: "Fiat", customAmount: null },
  ]) {
    const made = ok(await store.send("POST", `/invoices/${refid}/refund`, asked));
    keepSecrets(made.viewLink.split("/").at(-1) ?? "");
    amounts.push(made.amount);
  }
  assert.deepEqual(amounts, ["2.6675", "8.0025"]);
});

test("Zapier, WooCommerce and Magento mark an invoice as invalid", async () => {
  const made = ok(await store.send("POST", "/invoices", { amount: "5", currency: "USD" }));
  const marked = ok(await store.send("POST", `/invoices/${made.id}/status`, { status: "Invalid" }));
  assert.deepEqual([marked.status, marked.additionalStatus], ["Invalid", "Marked"]);
});
