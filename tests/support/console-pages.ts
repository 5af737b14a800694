import { globSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { Role } from "#lib/domain/authority/types.ts";
import { inviteMember } from "#lib/domain/members/invite.ts";
import { addCustomerNote, addPaymentNote } from "#lib/domain/notes/write-notes.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { actOf, performAs, personOf } from "./acts.ts";
import { addSignedIn, type ShopConsole } from "./console.ts";
import { awaitingLink, sendUnmatched } from "./link-states.ts";
import { newMerchant } from "./new-merchant.ts";
import type { Stack } from "./stack.ts";
import { DESTINATION, USDT } from "./withdrawals.ts";

const ROOT = join(import.meta.dirname, "../..");

/** A page of the console with something on it. */
export interface ConsolePage {
  readonly name: string;
  /** The folder of its page.tsx below app/console. */
  readonly route: string;
  readonly url: string;
  /** The role is null if nobody is signed in. */
  readonly role: Role | "operator" | null;
}

/** The folders below app/console that have a page. */
export function listConsoleRoutes(): string[] {
  return globSync("app/console/**/page.tsx", { cwd: ROOT })
    .map((path) => path.replace(/^app\/console\/?/, "").replace(/\/?page\.tsx$/, ""))
    .sort();
}

const DESK = "m/[merchant]/[env]";
/** Pages that say what to do when there is nothing yet. */
const EMPTY = ["overview", "payments", "forms", "customers", "money", "money/withdrawals", "money/unmatched"];
/** A plugin's question for a key. */
const PLUGIN = new URLSearchParams([
  ["applicationName", "WooCommerce"],
  ["permissions", "btcpay.store.cancreateinvoice"],
  ["permissions", "btcpay.store.canviewinvoices"],
  ["redirect", "https://shop.example/settings"],
]);
const PEOPLE = [
  ["Amara", "Okafor"],
  ["Bilal", "Yusuf"],
  ["Chidi", "Nwosu"],
  ["Dara", "Ige"],
  ["Efe", "Uche"],
  ["Farida", "Bello"],
] as const;

/** A shop with 60 days in its totals, and a day of real payments: links in several states, a form with a device, a withdrawal, a refund claim, an unmatched deposit. */
export async function fillShop(stack: Stack, shop: ShopConsole): Promise<readonly ConsolePage[]> {
  await fillDays(stack, shop);
  const { open, paid } = await fillPayments(stack);
  const { email } = stack;
  const goods = ["--title", "A bag of coffee", "--amount", "16000", "--env", "test"];
  const { form_url: formUrl } = await stack.run("form", "create", email, ...goods);
  const code = String(formUrl).split("/").at(-1) ?? "";
  await stack.run("pos", "add", code, "--name", "Counter 1");
  const money = ["--merchant", email, "--token", "usdt", "--network", "bep20", "--env", "test"];
  const asked = await stack.run("withdrawal", "create", ...money, "--to", DESTINATION, "--amount", "15");
  const withdrawal = String(asked.refid);
  await fillSigner(stack);
  const way = ["--network", "bep20", "--token", "usdt", "--amount", "5", "--note", "Sorry"];
  await stack.run("refund", "create", paid, ...way);
  await stack.run("ip", "add", email, "--name", "Office", "--address", "192.0.2.1");
  await shop.tabOf("cashier");
  const grace = { email: "grace@example.com", role: "manager", mailSealer: null } as const;
  const invited = await stack.db.db.transaction((tx) => inviteMember(actOf(tx, shop.merchantId), grace));
  if (!invited.ok) throw new Error("grace is not invited");
  const customer = await fillNotes(stack, shop, paid);
  const empty = await emptyShop(stack, shop);
  const { rows } = await stack.db.database.pool.query(
    `select (select max(event_id) from webhook_deliveries) as event,
      (select id from deposits where status = 3) as deposit,
      (select min(id) from api_keys where merchant_id = $1 and env = 'test' and revoked_at is null) as key,
      (select min(id) from webhook_endpoints where merchant_id = $1 and env = 'test') as endpoint,
      (select min(user_id) from members where merchant_id = $1) as member`,
    [shop.merchantId],
  );
  const ids = {
    "[refid]": paid,
    "[form]": code,
    "[id]": String(customer),
    "[event]": rows[0].event,
    "[deposit]": rows[0].deposit,
    "[withdrawal]": withdrawal,
    "[key]": rows[0].key,
    "[endpoint]": rows[0].endpoint,
    "[member]": rows[0].member,
  };
  return [
    ...merchantPages(shop.base, ids),
    {
      name: "payment-open",
      route: `${DESK}/payments/[refid]`,
      url: `${shop.base}/payments/${open}`,
      role: "cashier",
    },
    {
      name: "payments-refid-refund-by-customer",
      route: `${DESK}/payments/[refid]/refund`,
      url: `${shop.base}/payments/${paid}/refund?by=customer`,
      role: "owner",
    },
    ...EMPTY.map((path): ConsolePage => {
      const name = `empty-${nameOfRoute(path)}`;
      return { name, route: `${DESK}/${path}`, url: `${empty}/${path}`, role: "operator" };
    }),
    ...otherPages(shop.origin, {
      paid,
      invitation: invited.token,
      withdrawal,
      merchant: String(shop.merchantId),
    }),
  ];
}

/** Writes notes on a payment and on its customer, whose id it returns. */
async function fillNotes(stack: Stack, { merchantId }: ShopConsole, refid: string): Promise<number> {
  const { db } = stack.db;
  const [row] = await db.select().from(paymentLinks).where(eq(paymentLinks.refid, refid));
  const customer = row?.customerId ?? 0;
  const { userId } = await addSignedIn(stack.db.database, { merchantId, role: "manager" });
  const by = { merchantId, actor: personOf(userId, "manager", new Date()) };
  const texts = [
    "Paid twice by mistake: the second payment goes back to the address that she sent by mail.",
    "Called on Monday.\nDelivery to the office in Yaba, not to the shop.",
  ];
  for (const text of texts) await performAs(db, by, addPaymentNote, { refid, text });
  await performAs(db, by, addCustomerNote, { customer, text: "Pays by the end of the month, as agreed." });
  return customer;
}

/** Inserts the totals of the days before today. */
async function fillDays({ db }: Stack, shop: ShopConsole): Promise<void> {
  await db.database.pool.query(
    `with days as (
      select (now() at time zone 'UTC')::date - n as day, part.metric, part.count, part.cents
      from generate_series(1, 59) as n
      cross join lateral (select 4 + n * 5 % 4 + (n < 30)::integer as made) as day
      cross join lateral (values ('created', made, 0), ('opened', made, 0), ('seen', made - 1, 0), ('paid', made - 1, 0),
        ('volume:bep20', made - 3, (made - 3) * (700 + n * 397 % 500)), ('volume:trc20', 1, 900), ('volume:bitcoin', 1, 2100),
        ('time:2', made - 3, 0), ('time:5', 1, 0), ('time:15', 1, 0)) as part(metric, count, cents)
    ), quarters as (
      insert into link_quarters (merchant_id, env, quarter, metric, count, usd_cents)
      select $1, 'test', day at time zone 'UTC', metric, count, cents from days
    )
    insert into link_days (merchant_id, env, day, metric, count, usd_cents)
    select $1, 'test', day, metric, count, cents from days`,
    [shop.merchantId],
  );
}

/** Inserts the state that a signer would have published. */
async function fillSigner({ db }: Stack): Promise<void> {
  await db.database.pool.query(
    "insert into withdrawal_holds select id, 'approvals_missing', now() from withdrawals",
  );
  await db.database.pool.query(
    `insert into signer_accounts (env, network, address, version, started_at, stepped_at)
      values ('test', 'bep20', $1, '1.0.0', now() - interval '3 days', now())`,
    [DESTINATION],
  );
  await db.database.pool.query(
    `insert into outgoing_transactions (env, network, hash, raw, kind, moves, settled_at, outcome, fee)
      values ('test', 'bep20', '0x' || repeat('ab', 32), '0x', 'sweep', $1, now(), 'final', 210000000000000),
        ('test', 'bep20', '0x' || repeat('cd', 32), '0x', 'cold', $1, null, null, null)`,
    [JSON.stringify([{ token: "usdt", amount: (2_500n * USDT).toString(), from: "0x1", to: "0x2" }])],
  );
}

/** Links of six customers. Returns the refids of one that is open and one that is paid. */
async function fillPayments(stack: Stack): Promise<{ readonly open: string; readonly paid: string }> {
  const links: { readonly refid: string; readonly address: string }[] = [];
  for (const [index, [first, last]] of PEOPLE.entries()) {
    const customer = { email: `${first.toLowerCase()}@example.com`, first_name: first, last_name: last };
    links.push(
      await awaitingLink(stack, "bep20", {
        amount: String((index + 1) * 16_000),
        payment_reference: `ORDER${1_001 + index}`,
        customer_details: JSON.stringify(customer),
      }),
    );
  }
  const at = (index: number) => links[index] ?? { refid: "", address: "" };
  const amounts = { 1: "20", 2: "30", 3: "45", 4: "12.5" };
  for (const [index, amount] of Object.entries(amounts)) await stack.pay(at(Number(index)).address, amount);
  await sendUnmatched(stack, at(5).address, "0.25");
  await stack.waitForState(at(1).refid, "completed");
  await stack.waitForState(at(2).refid, "completed");
  await stack.waitForState(at(3).refid, "overpaid");
  await stack.waitForState(at(4).refid, "partial");
  return { open: at(0).refid, paid: at(1).refid };
}

/** Every page of a merchant's console. `ids` are what their URLs name. */
function merchantPages(base: string, ids: Readonly<Record<string, string>>): ConsolePage[] {
  return listConsoleRoutes()
    .filter((route) => route.startsWith(DESK))
    .map((route) => {
      const path = route.slice(DESK.length + 1);
      const filled = path.replace(/\[\w+\]/, (name) => ids[name] ?? name);
      return { name: nameOfRoute(path), route, url: `${base}/${filled}`, role: "owner" };
    });
}

const nameOfRoute = (path: string) => path.replace(/\W+/g, "-").replace(/-$/, "");

function otherPages(
  origin: string,
  {
    paid,
    invitation,
    withdrawal,
    merchant,
  }: {
    readonly paid: string;
    readonly invitation: string;
    readonly withdrawal: string;
    readonly merchant: string;
  },
): ConsolePage[] {
  const page = (route: string, role: ConsolePage["role"], path = route): ConsolePage => ({
    name: nameOfRoute(route) || "start",
    route,
    url: `${origin}/console/${path}`.replace(/\/$/, ""),
    role,
  });
  return [
    page("", "operator"),
    page("account", "owner"),
    page("authorize", "owner", `authorize?${PLUGIN}`),
    page("invoice/[refid]", "owner", `invoice/${paid}`),
    page("confirm", "owner", "confirm?back=%2Fconsole"),
    page("operator", "operator"),
    page("operator/merchants", "operator"),
    page("operator/merchants/[merchant]", "operator", `operator/merchants/${merchant}`),
    page("operator/settings", "operator", "operator/settings?env=test"),
    page("operator/unmatched", "operator", "operator/unmatched?env=test"),
    page("operator/withdrawals", "operator", "operator/withdrawals?env=test"),
    page("operator/withdrawals/[withdrawal]", "operator", `operator/withdrawals/${withdrawal}`),
    page("operator/signer", "operator", "operator/signer?env=test"),
    page("operator/audit", "operator"),
    page("sign-in", null),
    page("join/[token]", null, `join/${invitation}`),
  ];
}

/** The console of a merchant that has nothing yet. */
async function emptyShop(stack: Stack, shop: ShopConsole): Promise<string> {
  const sealer = openSecrets(stack.env.SECRET_KEY ?? "");
  const merchant = { sealer, email: "new@example.com", name: "New Shop" };
  await newMerchant(stack.db.db, merchant);
  const { rows } = await stack.db.database.pool.query("select code from merchants where email = $1", [
    merchant.email,
  ]);
  return `${shop.origin}/console/m/${rows[0].code}/test`;
}
