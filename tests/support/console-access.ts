import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { openNetworks } from "#lib/chains/registry.ts";
import { createForm } from "#lib/domain/forms/manage-forms.ts";
import type { Action } from "#lib/domain/members/role-rules.ts";
import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { addSignedIn } from "./console.ts";
import { type Stack, startStack } from "./stack.ts";
import { aStranger, type Fields, plainForm } from "./stranger.ts";
import { anAddress, anUnmatchedDeposit } from "./unmatched.ts";

/** A merchant, and what its pages and actions name. */
export interface Shop {
  readonly id: number;
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
}

export const placeOf = ({ code }: Shop) => ({ merchant: code, env: "test" });
export const pathOf = (shop: Shop, page: string) =>
  `/console/m/${shop.code}/test/${page.replace(/\{(refid|form|withdrawal|deposit)\}/, (_, name: keyof Shop) => String(shop[name]))}`;

/** What each page of a merchant's console needs. */
export const PAGES: Readonly<Record<string, Action>> = {
  overview: "payments.view",
  payments: "payments.view",
  exports: "exports.read",
  "exports/file?what=payments&format=csv&month=2026-11": "exports.read",
  new: "links.create",
  forms: "forms.view",
  "forms/new": "forms.change",
  "payments/{refid}/refund": "withdrawals.create",
  customers: "customers.view",
  money: "money.view",
  "money/withdrawals": "money.view",
  "money/withdrawals/{withdrawal}": "money.view",
  "money/unmatched": "money.view",
  "money/unmatched/{deposit}": "withdrawals.create",
  "money/withdrawals/new": "withdrawals.create",
  "money/withdrawals/rules": "money.view",
  "money/statements": "statements.read",
  developers: "developers.view",
  members: "members.view",
  settings: "settings.view",
  "settings/audit": "audit.view",
};

/** Server actions of the operator's pages that no merchant's person may call. */
export const OPERATOR_FORMS: readonly (readonly [name: string, page: string, Fields])[] = [
  ["switchMerchant", "merchants", { id: "1", status: "disabled" }],
  ["creditUnmatched", "unmatched", { id: "1", env: "test", email: "rival@example.com" }],
  ["startSignerApproval", "withdrawals/1000000000000001", { withdrawal: "1000000000000001", env: "test" }],
  [
    "finishSignerApproval",
    "withdrawals/1000000000000001",
    { withdrawal: "1000000000000001", env: "test", answer: "{}" },
  ],
  ["saveNetwork", "settings", { env: "test", network: "bep20", unpaidAddresses: "1" }],
  ["saveToken", "settings", { env: "test", token: "usdt" }],
];

const CUSTOMER = { email: "p@example.com", first_name: "P", last_name: "Q", hours: "2" };

/** What each server action needs, the page that has it, and a form for it. */
export const FORMS: Readonly<Record<string, readonly [Action, page: string, (shop: Shop) => Fields]>> = {
  createLink: [
    "links.create",
    "new",
    () => ({ amount: "100", currency: "ngn", reference: "A1", ...CUSTOMER }),
  ],
  endLink: ["links.cancel", "payments/{refid}", ({ refid }) => ({ refid })],
  makeKey: ["keys.change", "developers", () => ({ scope: "read" })],
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
    () => ({ pair: "usdt.trc20", to: "x", amount: "1", step: "ask", key: "a".repeat(32) }),
  ],
  makeClaim: [
    "withdrawals.create",
    "payments/{refid}/refund",
    ({ refid }) => ({ link: refid, pair: "usdt.bep20", amount: "1", note: "x", key: "b".repeat(32) }),
  ],
  dropClaim: ["withdrawals.create", "payments/{refid}", ({ refid }) => ({ refid, claim: "0" })],
  keepDeposit: ["deposits.resolve", "money/unmatched", () => ({ deposit: "0" })],
  refundUnmatched: [
    "withdrawals.create",
    "money/unmatched/{deposit}",
    () => ({ pair: "usdt.bep20", to: "x", amount: "1", step: "ask", deposit: "0" }),
  ],
  saveLimits: ["withdrawals.policy", "money/withdrawals/rules", () => ({ token: "usdt", per_day: "x" })],
  switchBook: ["withdrawals.policy", "money/withdrawals/rules", () => ({ book: "off" })],
  addToBook: [
    "withdrawals.policy",
    "money/withdrawals/rules",
    () => ({ network: "bep20", address: "x", name: "x" }),
  ],
  removeFromBook: ["withdrawals.policy", "money/withdrawals/rules", () => ({ id: "0" })],
  startApprove: [
    "withdrawals.approve",
    "money/withdrawals/{withdrawal}",
    ({ withdrawal }) => ({ withdrawal }),
  ],
  finishApprove: [
    "withdrawals.approve",
    "money/withdrawals/{withdrawal}",
    ({ withdrawal }) => ({ withdrawal, answer: "{}" }),
  ],
  declineWithdrawal: ["withdrawals.approve", "money/withdrawals/{withdrawal}", () => ({ withdrawal: "0" })],
  switchSecondPerson: ["withdrawals.policy", "money/withdrawals", () => ({ second: "on" })],
  invite: ["members.invite", "members", () => ({ email: `${randomUUID()}@example.com`, role: "cashier" })],
  withdrawInvitation: ["members.invite", "members", () => ({ invitation: "0" })],
  change: ["members.change", "members", ({ member }) => ({ member: String(member), role: "manager" })],
};

/** What a server answered. */
interface Answered {
  readonly status: number;
  readonly location: string | null;
}

/** A stack with two merchants, and requests to its console as browsers and attackers send them. */
export interface ConsoleAccess {
  readonly stack: Stack;
  readonly origin: string;
  readonly own: Shop;
  readonly other: Shop;
  /** Ids of the server actions by name. */
  readonly actions: Readonly<Record<string, string>>;
  open(path: string, token: string): Promise<Answered>;
  /** Posts a form's action as a browser without scripts does. `from`: the Origin header, null for none. */
  post(
    name: string,
    fields: Fields,
    to: { readonly path: string; readonly token: string; readonly from?: string | null },
  ): Promise<Answered>;
  /** Posts an action's form of FORMS. */
  attempt(
    name: string,
    shop: Shop,
    to: { readonly token: string; readonly from?: string | null },
  ): Promise<Answered>;
  /** How many of everything there is that a form of the console can add or end. */
  state(): Promise<unknown>;
  count(table: string): Promise<number>;
  close(): Promise<void>;
}

/** The page of an action of FORMS at a shop, and its filled form. */
export function formOf(name: string, shop: Shop): { readonly path: string; readonly fields: Fields } {
  const [, page, fieldsOf] = FORMS[name] ?? [];
  assert.ok(page !== undefined && fieldsOf !== undefined, `${name} has no row`);
  return { path: pathOf(shop, page), fields: { ...placeOf(shop), ...fieldsOf(shop) } };
}

export async function consoleAccess(env: Record<string, string> = {}): Promise<ConsoleAccess> {
  const stack = await startStack(env);
  const origin = new URL(stack.pageUrl).origin.replace("127.0.0.1", "localhost");
  const stranger = await aStranger(stack);
  const { refid } = await stack.createLink();
  const own = await shopOf(stack, "shop@example.com", refid);
  const secrets = openSecrets(stack.env.SECRET_KEY ?? "");
  const rival = { email: "rival@example.com", name: "Rival", webhookUrl: null };
  const made = await stack.db.db.transaction((tx) => createMerchant(tx, { secrets }, rival, new Date()));
  assert.ok(made.ok);
  const other = await shopOf(stack, "rival@example.com", refid);
  const send = async (path: string, init: RequestInit): Promise<Answered> => {
    const response = await fetch(`${origin}${path}`, { redirect: "manual", ...init });
    await response.body?.cancel();
    return { status: response.status, location: response.headers.get("location") };
  };
  const post: ConsoleAccess["post"] = (name, fields, { path, token, from = origin }) => {
    const action = stranger.actions[name];
    assert.ok(action !== undefined, `there is no action ${name}`);
    const headers = { cookie: `paylink_session=${token}`, ...(from !== null && { origin: from }) };
    return send(path, { method: "POST", body: plainForm(fields, action), headers });
  };
  const { pool } = stack.db.database;
  return {
    stack,
    origin,
    own,
    other,
    actions: stranger.actions,
    open: (path, token) => send(path, { headers: { cookie: `paylink_session=${token}` } }),
    post,
    attempt: (name, shop, to) => {
      const { path, fields } = formOf(name, shop);
      return post(name, fields, { path, ...to });
    },
    state: async () => (await pool.query(EVERYTHING)).rows[0],
    count: async (table) => Number((await pool.query(`select count(*) as n from ${table}`)).rows[0].n),
    close: async () => {
      stranger.close();
      await stack.close();
    },
  };
}

const EVERYTHING = `select (select count(*) from audit_log) as decisions, (select count(*) from payment_links) as links,
    (select count(*) from api_keys) as keys, (select count(*) from invitations) as invitations,
    (select count(*) from refund_claims where revoked_at is null) as claims, (select count(*) from withdrawal_approvals) as approvals, (select count(*) from withdrawals where status > 0) as ended,
    (select count(*) from webhook_endpoints) as endpoints, (select count(*) from ip_entries) as ips`;

async function shopOf(stack: Stack, email: string, refid: string): Promise<Shop> {
  const { rows } = await stack.db.database.pool.query("select id, code from merchants where email = $1", [
    email,
  ]);
  const id = Number(rows[0].id);
  const request = { owner: { merchantId: id, env: "test" }, input: { title: "Form" } } as const;
  const made = await createForm(stack.db.db, { paymentUrl: stack.pageUrl }, request, new Date());
  assert.ok(made.ok);
  const asked = await stack.db.database.pool.query(
    `insert into withdrawals (refid, env, merchant_id, token, network, to_address, amount, fee, needs_approval)
      values ($1, 'test', $2, 'usdt', 'bep20', '0x0', 1, 0, true) returning refid`,
    [String(1_000_000_000_000_000 + id), id],
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
  const { id: addressId } = await anAddress(stack.db.db, network, id);
  const { id: deposit } = await anUnmatchedDeposit(stack.db.db, { addressId });
  const { userId: member } = await addSignedIn(stack.db.database, { merchantId: id, role: "cashier" });
  return {
    id,
    code: rows[0].code,
    refid,
    form: made.form.code,
    withdrawal: asked.rows[0].refid,
    deposit,
    member,
  };
}
