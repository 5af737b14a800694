/**
 * The requests of a merchant over HTTP for each network, on the nodes of the contract suite: an address
 * (endpoints 14 and 15), a payment to it, its search (6), its requery (7), the deposit (3) and the fee (8),
 * on the networks that the document lists, and its error on the others.
 */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { LINK_PAIRS, pairCode } from "#lib/chains/networks.ts";
import { updateMerchant } from "#lib/domain/merchants/update-merchant.ts";
import { viewForPayer } from "#lib/domain/payment-links/settle/view-for-payer.ts";
import { formatAmount, parseAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { ContractDriver } from "#tests/chains/contract/drivers/driver.ts";
import { DRIVERS, LINK_DRIVERS } from "#tests/chains/contract/drivers/drivers.ts";
import { actOf } from "#tests/support/acts.ts";
import { startChainApi } from "#tests/support/chain-api.ts";
import { refused, says, successOf } from "#tests/support/says.ts";
import { until } from "#tests/support/until.ts";
import { readDefaultCode } from "./default-code.ts";

/** docs/service-interface.md, endpoints 7 and 8. */
const WITHOUT_REQUERY: ReadonlySet<string> = new Set(["dogecoin"]);
const WITHOUT_FEE: ReadonlySet<string> = new Set(["trc20"]);
const LINK = {
  amount: "20",
  amount_currency: "usd",
  payment_reference: "ORDER1",
  customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
  success_url: "https://shop.example.com/ok",
  cancel_url: "https://shop.example.com/no",
} as const;
const CUSTOMER = { email: "ada@example.com", first_name: "Ada", last_name: "Obi" };

/** The pairs that completed a link. */
const paid = new Set<string>();

suite("merchants' requests on every network", { concurrency: 2 }, () => {
  for (const [name, open] of Object.entries(DRIVERS)) {
    test(`${name}: an address, a payment, its search, its requery, its deposit, the fee`, async () => {
      const driver = await open();
      const api = await startChainApi(driver.open(driver.rpcUrl));
      try {
        await driver.prepare?.(api.database.db);
        await askEverything(driver, api);
        await payLink(driver, api);
      } finally {
        await api.close();
        await driver.close();
      }
    });
  }
});

suite("payment links in further tokens", { concurrency: 2 }, () => {
  for (const [name, open] of Object.entries(LINK_DRIVERS).filter(([name]) => !(name in DRIVERS))) {
    test(`${name}: a link is paid`, async () => {
      const driver = await open();
      const api = await startChainApi(driver.open(driver.rpcUrl));
      try {
        await driver.prepare?.(api.database.db);
        await payLink(driver, api);
      } finally {
        await api.close();
        await driver.close();
      }
    });
  }
});

test("every pair that a link can be paid with was paid", () => {
  assert.deepEqual(paid, new Set(LINK_PAIRS.map(pairCode)));
});

type ChainApi = Awaited<ReturnType<typeof startChainApi>>;

async function askEverything(driver: ContractDriver, api: ChainApi): Promise<void> {
  const { network, token } = driver;
  const merchant = await api.merchant();
  const client = api.client(merchant.test);
  const headers = { "x-staging-api-key": merchant.test };
  const post = (path: string, form: Record<string, string>) => api.send({ path, form, headers });
  await driver.mine(16);
  await watchUntil(api, "the cursor to be there", async () => {
    return (await findCursor(api)) !== null;
  });

  const own = successOf(await client.POST("/wallets/generate-merchant-wallet", { body: { network } }));
  const customers = successOf(
    await client.POST("/wallets/generate-wallet", { body: { network, customer: CUSTOMER } }),
  );
  assert.notEqual(addressIn(own), addressIn(customers));

  const amount = 100_000n * driver.smallest;
  const hash = await driver.send(addressIn(customers), amount);
  await driver.mine(blocksToCreditAnything(driver, api));

  const search = { tx_hash: hash, network };
  const found = await post("/transaction/search-blockchain-txhash", search);
  assert.equal(found.status, 200, found.text);
  assert.ok(found.text.includes(hash), found.text);

  const asked = await post(`/transaction/requery/${network}`, { tx_hash: hash });
  if (WITHOUT_REQUERY.has(network)) {
    refused(asked, 400, "network not supported");
    await watchUntil(api, "the credit", async () => (await api.balance(merchant.id)) > 0n);
  } else {
    const { message } = asked.body as { message: string };
    assert.match(message, /^transaction confirmed in block \d+$/);
    const again = await post(`/transaction/requery/${network}`, { tx_hash: hash });
    says(again, 200, { status: "success", message: "transaction already credited", data: null });
  }
  assert.equal(await api.balance(merchant.id), amount);
  assert.deepEqual(await api.problems(), []);

  const deposit = await api.send({ path: `/transaction/deposit/${encodeURIComponent(hash)}`, headers });
  const { data } = deposit.body as { data: Record<string, unknown> };
  const paid = { network, token, address: addressIn(customers), tx_hash: hash, status: 1 };
  assert.deepEqual(data, { ...data, ...paid });
  const value = formatAmount(amount, TOKENS[token].ledgerDecimals);
  assert.ok(deposit.text.includes(`"value":${value},`), deposit.text);

  const fee = await post("/transaction/network-fee", { network });
  if (WITHOUT_FEE.has(network)) return refused(fee, 400, "network not supported");
  assert.equal(fee.status, 200, fee.text);
  const quoted = (fee.body as { data: { fee: number; token: string } }).data;
  assert.equal(quoted.token, api.networks.find("test", network)?.data.coin);
  assert.ok(quoted.fee > 0, fee.text);
}

/** A link in this pair only, for a merchant whose operator has enabled it, from its creation to its completion. */
async function payLink(driver: ContractDriver, api: ChainApi): Promise<void> {
  const { network, token } = driver;
  const merchant = await api.merchant();
  const changes = { paymentPairs: [pairCode(driver)], fixedRates: driver.rates };
  await api.db.transaction((tx) => updateMerchant(actOf(tx, merchant.id), changes));
  await driver.mine(1);
  await watchUntil(api, "the cursor to be there", async () => (await findCursor(api)) !== null);
  const client = api.client(merchant.test);
  const pair = { network, token: token.toUpperCase() };
  const body = { ...LINK, pairs: [pair], wallets: [pair] };
  const { refid } = successOf(await client.POST("/payment-links", { body })).data;
  const link = async () =>
    successOf(await client.GET("/payment-links/{refid}", { params: { path: { refid } } })).data;
  const { wallets, remaining } = await link();
  const due = parseAmount(remaining[0]!.amount, TOKENS[token].ledgerDecimals);
  assert.ok(due.ok);
  await checkCode(driver, api, refid);
  await driver.send(wallets[0]!.address, due.units);
  await driver.mine(blocksToCreditAnything(driver, api));
  await watchUntil(api, "the completion", async () => (await link()).state === "completed");
  assert.equal(await api.balance(merchant.id), due.units);
  assert.deepEqual(await api.problems(), []);
  paid.add(pairCode(driver));
}

/** For a token the page's code is the bare address; for a network's own coin it may be a payment URI. */
async function checkCode(driver: ContractDriver, api: ChainApi, refid: string): Promise<void> {
  const { database, rates, settings } = api.services;
  const deps = { db: database.db, networks: api.networks, rates, settings };
  const view = await viewForPayer(deps, refid, new Date());
  const adapter = api.networks.find("test", driver.network);
  assert.ok(view && adapter);
  const shown = readDefaultCode(view, driver, adapter);
  const { address } = view.wallets[0]!;
  if (driver.token !== adapter.data.coin) assert.equal(shown, address);
  else assert.ok(shown?.toLowerCase().includes(address.toLowerCase()), `${shown} for ${address}`);
}

/** There is no link with a small total, so the strictest confirmations apply. */
function blocksToCreditAnything({ network, blocksToCredit }: ContractDriver, { networks }: ChainApi): number {
  const finality = networks.find("test", network)?.data.finality;
  return finality?.kind === "confirmations"
    ? Math.max(...finality.tiers.map(({ blocks }) => blocks))
    : blocksToCredit;
}

async function findCursor({ database }: ChainApi): Promise<object | null> {
  return (await database.database.pool.query("select from watch_cursors")).rows[0] ?? null;
}

function addressIn({ data }: { readonly data: unknown }): string {
  const { address } = data as { address?: unknown };
  assert.equal(typeof address, "string", JSON.stringify(data));
  return String(address);
}

/** Watches until the condition holds. */
async function watchUntil(api: ChainApi, what: string, holds: () => Promise<boolean>): Promise<void> {
  const watcher = api.watch();
  await until(what, holds);
  await watcher.stop();
}
