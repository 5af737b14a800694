import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { openNetworks } from "#lib/chains/registry.ts";
import type { Action } from "#lib/domain/authority/role-rules.ts";
import type { Role } from "#lib/domain/authority/types.ts";
import { createForm } from "#lib/domain/forms/manage-forms.ts";
import { actOf } from "./acts.ts";
import { addSignedIn, consoleOrigin } from "./console.ts";
import type { Stack } from "./stack.ts";
import { actionIds, type Fields, plainForm } from "./stranger.ts";
import { anAddress, anUnmatchedDeposit } from "./unmatched.ts";

/** A merchant, and what its pages and actions name. */
export interface Shop {
  readonly id: number;
  readonly email: string;
  readonly code: string;
  readonly refid: string;
  /** The code of one of its forms. */
  readonly form: string;
  /** The refid of one of its withdrawals. */
  readonly withdrawal: string;
  /** The id of one of its unmatched deposits. */
  readonly deposit: number;
  /** The id of one of its cashiers. */
  readonly member: number;
  /** The ids of a test key, a test endpoint and a customer. */
  readonly key: number;
  readonly endpoint: number;
  readonly customer: number;
}

export const placeOf = ({ code }: Shop) => ({ merchant: code, env: "test" });
export const pathOf = (shop: Shop, page: string) =>
  `/console/m/${shop.code}/test/${page.replace(/\{(refid|form|withdrawal|deposit|member|key|endpoint|customer)\}/, (_, name: keyof Shop) => String(shop[name]))}`;

/** The permission for each page of a merchant's console. */
export const PAGES: Readonly<Record<string, Action>> = {
  overview: "payments.view",
  payments: "payments.view",
  exports: "exports.read",
  "exports/file?what=payments&format=csv&search=ORD&pair=bep20%2Fusdt": "exports.read",
  new: "links.create",
  forms: "forms.view",
  "forms/new": "forms.change",
  "payments/{refid}/refund": "withdrawals.create",
  customers: "customers.view",
  "customers/{customer}": "customers.view",
  "customers?email=a": "customers.view",
  "payments?search=ORD&pair=bep20%2Fusdt": "payments.view",
  "forms/{form}/close": "forms.change",
  money: "money.view",
  "money/withdrawals": "money.view",
  "money/withdrawals/{withdrawal}": "money.view",
  "money/unmatched": "money.view",
  "money/unmatched/{deposit}": "withdrawals.create",
  "money/withdrawals/new": "withdrawals.create",
  "money/withdrawals/rules": "money.view",
  "money/statements": "statements.read",
  developers: "developers.view",
  "developers?deliveries=failed&endpoint=1": "developers.view",
  "developers/keys/{key}": "keys.change",
  "developers/endpoints/{endpoint}": "webhooks.change",
  members: "members.view",
  "members/{member}": "members.change",
  settings: "settings.view",
  "settings/audit": "audit.view",
};

/** Server actions of the operator's pages that no merchant's person may call. */
export const OPERATOR_FORMS: Readonly<Record<string, (shop: Shop) => readonly [page: string, Fields]>> = {
  switchMerchant: ({ id }) => ["merchants", { id: String(id), status: "disabled" }],
  creditUnmatched: ({ deposit, email }) => ["unmatched", { id: String(deposit), env: "test", email }],
  startSignerApproval: ({ withdrawal }) => [`withdrawals/${withdrawal}`, { withdrawal, env: "test" }],
  finishSignerApproval: ({ withdrawal }) => [
    `withdrawals/${withdrawal}`,
    { withdrawal, env: "test", answer: "{}" },
  ],
  saveNetwork: () => ["settings", { env: "test", network: "bep20", unpaidAddresses: "1" }],
  saveToken: () => ["settings", { env: "test", token: "usdt" }],
};

const CUSTOMER = { email: "p@example.com", first_name: "P", last_name: "Q", hours: "2" };

/** The permission for each server action, the page that has it, and a form for it. */
export const FORMS: Readonly<Record<string, readonly [Action, page: string, (shop: Shop) => Fields]>> = {
  createLink: [
    "links.create",
    "new",
    () => ({ amount: "100", currency: "ngn", reference: "A1", ...CUSTOMER }),
  ],
  endLink: ["links.cancel", "payments/{refid}", ({ refid }) => ({ refid })],
  notePayment: ["payments.note", "payments/{refid}", ({ refid }) => ({ refid, note: "Called" })],
  dropPaymentNote: ["payments.note", "payments/{refid}", ({ refid }) => ({ refid, note: "0" })],
  noteCustomer: [
    "customers.note",
    "customers/{customer}",
    ({ customer }) => ({ customer: String(customer), note: "Called" }),
  ],
  dropCustomerNote: [
    "customers.note",
    "customers/{customer}",
    ({ customer }) => ({ customer: String(customer), note: "0" }),
  ],
  keepView: ["payments.view", "payments", () => ({ query: "state=failed", name: "Failed" })],
  dropView: ["payments.view", "payments", () => ({ view: "0" })],
  makeKey: ["keys.change", "developers", () => ({ scope: "read" })],
  makePluginKey: ["keys.change", "developers", () => ({ plugin: "woocommerce", url: "" })],
  dropKey: ["keys.change", "developers", () => ({ id: "0" })],
  makeEndpoint: ["webhooks.change", "developers", () => ({ url: "http://127.0.0.1/no" })],
  rotateSecret: ["webhooks.change", "developers", () => ({ id: "0" })],
  changeEndpoint: ["webhooks.change", "developers", () => ({ id: "0", enabled: "no" })],
  dropEndpoint: ["webhooks.change", "developers", () => ({ id: "0" })],
  testEndpoint: ["webhooks.change", "developers", () => ({ id: "0" })],
  resendEvent: ["webhooks.change", "developers", () => ({ id: "0" })],
  allowIp: ["ips.change", "developers", () => ({ name: "Office", address: "192.0.2.1" })],
  dropIp: ["ips.change", "developers", () => ({ id: "0" })],
  editForm: ["forms.change", "forms/new", () => ({ title: "" })],
  endForm: ["forms.change", "forms/{form}", () => ({ form: "0" })],
  addPosDevice: ["forms.change", "forms/{form}", ({ form }) => ({ form, name: "Counter" })],
  dropPosDevice: ["forms.change", "forms/{form}", ({ form }) => ({ form, id: "0" })],
  saveSettings: [
    "settings.change",
    "settings",
    () => ({ section: "websites", origins: "https://a.example" }),
  ],
  askWithdrawal: [
    "withdrawals.create",
    "money/withdrawals/new",
    () => ({ pair: "trc20/usdt", to: "x", amount: "1", step: "ask", key: "a".repeat(32) }),
  ],
  makeClaim: [
    "withdrawals.create",
    "payments/{refid}/refund",
    ({ refid }) => ({ link: refid, pair: "bep20/usdt", amount: "1", note: "x", key: "b".repeat(32) }),
  ],
  dropClaim: ["withdrawals.create", "payments/{refid}", ({ refid }) => ({ refid, claim: "0" })],
  keepDeposit: ["deposits.resolve", "money/unmatched", () => ({ deposit: "0" })],
  refundUnmatched: [
    "withdrawals.create",
    "money/unmatched/{deposit}",
    () => ({ pair: "bep20/usdt", to: "x", amount: "1", step: "ask", deposit: "0" }),
  ],
  saveLimits: ["withdrawals.policy", "money/withdrawals/rules", () => ({ token: "usdt", per_day: "x" })],
  switchBook: ["withdrawals.policy", "money/withdrawals/rules", () => ({ book: "off" })],
  addToBook: [
    "withdrawals.policy",
    "money/withdrawals/rules",
    () => ({ network: "bep20", address: "x", name: "x" }),
  ],
  removeFromBook: ["withdrawals.policy", "money/withdrawals/rules", () => ({ id: "0" })],
  startApprove: ["withdrawals.sign", "money/withdrawals/{withdrawal}", ({ withdrawal }) => ({ withdrawal })],
  finishApprove: [
    "withdrawals.sign",
    "money/withdrawals/{withdrawal}",
    ({ withdrawal }) => ({ withdrawal, answer: "{}" }),
  ],
  declineWithdrawal: ["withdrawals.approve", "money/withdrawals/{withdrawal}", () => ({ withdrawal: "0" })],
  switchSecondPerson: ["withdrawals.policy", "money/withdrawals", () => ({ second: "on" })],
  invite: ["members.invite", "members", () => ({ email: `${randomUUID()}@example.com`, role: "cashier" })],
  withdrawInvitation: ["members.invite", "members", () => ({ invitation: "0" })],
  change: ["members.change", "members", ({ member }) => ({ member: String(member), role: "manager" })],
};

/** The answer of a server. */
interface Answered {
  readonly status: number;
  readonly location: string | null;
}

/** Two merchants of a world, and requests to its console as browsers and attackers send them. */
export interface ConsoleAccess {
  readonly origin: string;
  readonly own: Shop;
  readonly other: Shop;
  /** Ids of the server actions by name. */
  readonly actions: Readonly<Record<string, string>>;
  readonly open: (path: string, token: string) => Promise<Answered>;
  /** Posts a form's action as a browser without scripts does. `from`: the Origin header, null for none. */
  readonly post: (
    name: string,
    fields: Fields,
    to: { readonly path: string; readonly token: string; readonly from?: string | null },
  ) => Promise<Answered>;
  /** Posts an action's form of FORMS. */
  readonly attempt: (name: string, shop: Shop, token: string) => Promise<Answered>;
  /** How many of everything there is that a form of the console can add or end. */
  readonly state: () => Promise<unknown>;
  readonly count: (table: string) => Promise<number>;
  /** Signs a new person in, at `own` unless they are the operator. */
  readonly signIn: (role: Role | "operator", shop?: Shop) => ReturnType<typeof addSignedIn>;
}

/** The page of an action of FORMS or OPERATOR_FORMS, and its filled form. */
export function formOf(name: string, shop: Shop): { readonly path: string; readonly fields: Fields } {
  const [page, fields] = OPERATOR_FORMS[name]?.(shop) ?? [];
  if (page !== undefined && fields !== undefined) return { path: `/console/operator/${page}`, fields };
  const [, ownPage, fieldsOf] = FORMS[name] ?? [];
  assert.ok(ownPage !== undefined && fieldsOf !== undefined, `${name} has no row`);
  return { path: pathOf(shop, ownPage), fields: { ...placeOf(shop), ...fieldsOf(shop) } };
}

/** Gives two merchants of a world what pages and actions name. Their withdrawals are not in the books. */
export async function consoleAccess(stack: Stack, rival: Stack): Promise<ConsoleAccess> {
  const origin = consoleOrigin(stack);
  const actions = actionIds();
  const [own, other] = [await shopOf(stack), await shopOf(rival)];
  const send = async (path: string, init: RequestInit): Promise<Answered> => {
    const response = await fetch(`${origin}${path}`, { redirect: "manual", ...init });
    await response.body?.cancel();
    return { status: response.status, location: response.headers.get("location") };
  };
  const post: ConsoleAccess["post"] = (name, fields, { path, token, from = origin }) => {
    const action = actions[name];
    assert.ok(action !== undefined, `there is no action ${name}`);
    const headers = { cookie: `paylink_session=${token}`, ...(from !== null && { origin: from }) };
    return send(path, { method: "POST", body: plainForm(fields, action), headers });
  };
  const { database } = stack.db;
  return {
    origin,
    own,
    other,
    actions,
    open: (path, token) => send(path, { headers: { cookie: `paylink_session=${token}` } }),
    post,
    attempt: (name, shop, token) => {
      const { path, fields } = formOf(name, shop);
      return post(name, fields, { path, token });
    },
    state: async () => (await database.pool.query(EVERYTHING)).rows[0],
    count: async (table) =>
      Number((await database.pool.query(`select count(*) as n from ${table}`)).rows[0].n),
    signIn: (role, shop = own) => addSignedIn(database, { merchantId: shop.id, role }),
  };
}

const EVERYTHING = `select (select count(*) from audit_log) as decisions, (select count(*) from payment_links) as links,
    (select count(*) from api_keys) as keys, (select count(*) from invitations) as invitations,
    (select count(*) from refund_claims where revoked_at is null) as claims, (select count(*) from withdrawal_approvals) as approvals, (select count(*) from withdrawals where status > 0) as ended,
    (select count(*) from webhook_endpoints) as endpoints, (select count(*) from ip_entries) as ips,
    (select count(*) from notes) as notes, (select count(*) from saved_views) as views`;

async function shopOf(stack: Stack): Promise<Shop> {
  const { merchantId: id, email, code, db } = stack;
  const { refid } = await stack.createLink();
  const given = { settings: { paymentUrl: stack.pageUrl }, input: { title: "Form" } };
  const made = await db.db.transaction((tx) => createForm(actOf(tx, id), given));
  assert.ok(made.ok);
  const withdrawal = String(1_000_000_000_000_000 + id);
  await db.database.pool.query(
    `insert into withdrawals (refid, env, merchant_id, token, network, to_address, amount, fee, needs_approval)
      values ($1, 'test', $2, 'usdt', 'bep20', '0x0', 1, 0, true)`,
    [withdrawal, id],
  );
  const [network] = openNetworks([
    {
      env: "test",
      network: "bep20",
      rpcUrls: ["http://127.0.0.1:9"],
      accountKey: String(stack.env.TEST_BEP20_XPUB),
      zmqUrl: null,
      chainId: null,
      contracts: {},
    },
  ]).list("test");
  assert.ok(network !== undefined);
  const { id: addressId } = await anAddress(db.db, network, id);
  const { id: deposit } = await anUnmatchedDeposit(db.db, { addressId });
  const { userId: member } = await addSignedIn(db.database, { merchantId: id, role: "cashier" });
  const { rows } = await db.database.pool.query(
    `select (select min(id) from api_keys where merchant_id = $1 and env = 'test' and revoked_at is null)::int as key,
      (select min(id) from webhook_endpoints where merchant_id = $1 and env = 'test')::int as endpoint,
      (select min(id) from customers where merchant_id = $1 and env = 'test')::int as customer`,
    [id],
  );
  return { id, email, code, refid, form: made.form.code, withdrawal, deposit, member, ...rows[0] };
}
