import type { Env } from "#lib/chains/network-data.ts";
import { isGranted } from "./permission-rules.ts";
import { type Action, may } from "./role-rules.ts";
import type { Actor, KeyActor, KeyScope, Permission, PersonActor } from "./types.ts";

/** A person may do what is dangerous for so long after they proved who they are. */
export const RECENT_MS = 5 * 60_000;

/** The actors who may do a verb. */
export interface Authority {
  /**
   * The action that the role of a person must allow, and that of the person who made a key. null: no person and no key. "own": the verb
   * changes the account of the person who does it, so that every person may and nobody else, not even the operator's command.
   */
  readonly action: Action | "own" | null;
  /** A person must have proved who they are within RECENT_MS. */
  readonly proof: boolean;
  /** Scopes of keys that may, besides `full`. null: no key. */
  readonly keys: readonly KeyScope[] | null;
  /**
   * The verb changes how the merchant is paid or reached. Live keys may only while the merchant has an IP list. "merchant": for live and
   * test alike, so that no test key may.
   */
  readonly changes: "environment" | "merchant" | null;
  /** The permission with which a Greenfield key may, whose scope is not in `keys`. Absent: no such key may. */
  readonly permission?: Permission;
  /**
   * "origin": a Greenfield key that has an origin needs no IP list, since the verb refuses every address of another origin. Absent: it needs
   * what `changes` says.
   */
  readonly bound?: "origin";
  /** Programs with a key alone may: neither the console nor the command does it. */
  readonly programsAlone?: boolean;
  /** A payer with the secret of a refund claim may. */
  readonly payer?: true;
}

const keysChange = { action: "keys.change", proof: true, keys: [], changes: "environment" } as const;
const linksModify = {
  action: "links.create",
  proof: false,
  keys: [],
  changes: null,
  permission: "btcpay.store.canmodifyinvoices",
} as const;
const ipsChange = { action: "ips.change", proof: true, keys: ["settings"], changes: "merchant" } as const;
const webhooksChange = {
  action: "webhooks.change",
  proof: true,
  keys: ["webhooks"],
  changes: "environment",
} as const;
const endpointsChange = {
  ...webhooksChange,
  permission: "btcpay.store.webhooks.canmodifywebhooks",
  bound: "origin",
} as const;
const formsChange = { action: "forms.change", proof: false, keys: ["payment-links"], changes: null } as const;
const devicesChange = { action: "forms.change", proof: false, keys: null, changes: null } as const;
const paymentsNote = { action: "payments.note", proof: false, keys: null, changes: null } as const;
const customersNote = { action: "customers.note", proof: false, keys: null, changes: null } as const;
const settingsChange = {
  action: "settings.change",
  proof: true,
  keys: ["settings"],
  changes: "merchant",
} as const;
const withdrawalsCreate = {
  action: "withdrawals.create",
  proof: true,
  keys: ["withdrawals"],
  changes: "environment",
} as const;
const withdrawalsPolicy = { action: "withdrawals.policy", proof: true, keys: null, changes: null } as const;
const installationChange = { action: "installation.change", proof: true, keys: null, changes: null } as const;
const depositsResolve = { action: "deposits.resolve", proof: true, keys: null, changes: null } as const;
const depositsRefund = { action: "withdrawals.create", proof: true, keys: null, changes: null } as const;
const programsAlone = { proof: false, keys: [], changes: null, programsAlone: true } as const;
const staffInvite = { action: "members.invite", proof: true, keys: null, changes: null } as const;
const staffChange = { action: "members.change", proof: true, keys: null, changes: null } as const;
const ownChange = { action: "own", proof: true, keys: null, changes: null } as const;
const ownEveryday = { action: "own", proof: false, keys: null, changes: null } as const;
const operatorAlone = { action: null, proof: true, keys: null, changes: null } as const;

/**
 * Every verb, and who may do it. The operator may do all of them with the command, except those of people's own accounts. docs/authority.md
 * is printed from this table.
 */
export const VERBS = {
  "merchant.create": installationChange,
  "merchant.update": settingsChange,
  "merchant.status": installationChange,
  "merchant.fee": operatorAlone,
  "merchant.mail": operatorAlone,
  "link.create": {
    action: "links.create",
    proof: false,
    keys: ["payment-links"],
    changes: null,
    permission: "btcpay.store.cancreateinvoice",
  },
  "link.cancel": {
    action: "links.cancel",
    proof: false,
    keys: ["payment-links"],
    changes: null,
    permission: "btcpay.store.canmodifyinvoices",
  },
  "payment_note.add": paymentsNote,
  "payment_note.remove": paymentsNote,
  "customer_note.add": customersNote,
  "customer_note.remove": customersNote,
  "link.update": linksModify,
  "link.archive": linksModify,
  "key.create": keysChange,
  "key.revoke": keysChange,
  "key.rotate": operatorAlone,
  "ip.add": ipsChange,
  "ip.remove": ipsChange,
  "webhook.endpoint.add": endpointsChange,
  "webhook.endpoint.update": endpointsChange,
  "webhook.endpoint.remove": endpointsChange,
  "webhook.endpoint.rotate": webhooksChange,
  "webhook.test": webhooksChange,
  "webhook.events": operatorAlone,
  "webhook.redeliver": { ...endpointsChange, keys: null, changes: null },
  "webhook.redeliver-range": operatorAlone,
  "form.create": formsChange,
  "form.update": formsChange,
  "form.archive": formsChange,
  "pos.add": devicesChange,
  "pos.revoke": devicesChange,
  "member.invite": staffInvite,
  "member.revoke-invitation": staffInvite,
  "member.change": staffChange,
  "password.change": ownChange,
  "recovery-codes.issue": ownChange,
  "passkey.add": ownChange,
  "passkey.remove": ownChange,
  "session.end": ownEveryday,
  "session.end-others": ownEveryday,
  "view.save": ownEveryday,
  "view.remove": ownEveryday,
  "console.operator-add": operatorAlone,
  "console.operator-remove": operatorAlone,
  "console.person-reset": operatorAlone,
  "withdrawal.create": withdrawalsCreate,
  // A passkey signs each approval, which is a fresh proof.
  "withdrawal.approve": { action: "withdrawals.sign", proof: false, keys: null, changes: null },
  "withdrawal.sign": operatorAlone,
  "withdrawal.sent": operatorAlone,
  "withdrawal.replace": operatorAlone,
  "withdrawal.correct": operatorAlone,
  "withdrawal.fail": {
    action: "withdrawals.approve",
    proof: true,
    keys: ["withdrawals"],
    changes: "environment",
  },
  "withdrawal.settle": operatorAlone,
  "withdrawal.propose_settlement": operatorAlone,
  "withdrawal.approve_settlement": operatorAlone,
  "withdrawal.policy": withdrawalsPolicy,
  "withdrawal.limit": withdrawalsPolicy,
  "withdrawal.book": withdrawalsPolicy,
  "withdrawal.book-add": withdrawalsPolicy,
  "withdrawal.book-remove": withdrawalsPolicy,
  // Like any live key, a plugin's needs an IP list for this: a claim moves money.
  "refund_claim.create": {
    ...withdrawalsCreate,
    permission: "btcpay.store.cancreatenonapprovedpullpayments",
  },
  "refund_claim.revoke": withdrawalsCreate,
  "refund_claim.use": { action: null, proof: true, keys: null, changes: null, payer: true },
  "network.set": installationChange,
  "token.set": installationChange,
  "attention.retry": operatorAlone,
  "attention.close": operatorAlone,
  "deposit.resolve": depositsResolve,
  "deposit.refund": depositsRefund,
  "deposit.resolve-many": operatorAlone,
  "ledger.movement": operatorAlone,
  "addresses.import": operatorAlone,
  "addresses.skip": operatorAlone,
  "network.accept_gap": operatorAlone,
  "node.trust": operatorAlone,
  "mail.resend": operatorAlone,
  "secrets.reseal": operatorAlone,
  "numbers.skip": operatorAlone,
  // A buy spends the balance, as a withdrawal does.
  "trade.buy": { ...programsAlone, action: "withdrawals.create" },
  "address.allocate": { ...programsAlone, action: "links.create" },
  "transaction.requery": { ...programsAlone, action: "payments.view" },
  "link.quote": { ...programsAlone, action: "links.create", keys: ["payment-links"] },
  "sandbox.pay": { ...programsAlone, action: "links.create", keys: ["payment-links"] },
  "webhook.retrigger": { ...programsAlone, action: "webhooks.change" },
} as const satisfies Readonly<Record<string, Authority>>;

export type VerbName = keyof typeof VERBS;

/** A verb of a person's own account. */
export type OwnVerbName = {
  [Name in VerbName]: (typeof VERBS)[Name]["action"] extends "own" ? Name : never;
}[VerbName];

/** Why somebody may not do a verb. */
export type AuthorityReason = "not_allowed" | "proof_needed" | "live_key_required" | "ip_list_required";

/**
 * Why an actor may not do a verb in an environment, or null. `env` is null for the installation, which no key may change. `hasIpList`: whether the merchant has an IP list, which restricts its live keys.
 */
export function findObstacle(
  verb: VerbName,
  actor: Actor,
  { env, hasIpList, now }: { readonly env: Env | null; readonly hasIpList: boolean; readonly now: Date },
): AuthorityReason | null {
  const authority: Authority = VERBS[verb];
  const { action, proof, changes, payer, programsAlone = false } = authority;
  if (programsAlone && actor.kind !== "key") return "not_allowed";
  if (actor.kind === "payer") return payer === true ? null : "not_allowed";
  if (actor.kind === "signer") return "not_allowed";
  if (actor.kind === "person") {
    if (!isAllowed(actor, action)) return "not_allowed";
    return proof && !isRecent(actor, now) ? "proof_needed" : null;
  }
  if (action === "own") return "not_allowed";
  if (actor.kind === "operator") return null;
  if (action === null || !isKeyFor(actor, authority)) return "not_allowed";
  const { madeBy, makerRole } = actor;
  if (madeBy !== null && (makerRole === null || !may(makerRole, action))) return "not_allowed";
  if (changes === null || (changes === "environment" && env === "test")) return null;
  if (isBound(actor, authority)) return null;
  if (env === "test") return "live_key_required";
  return hasIpList ? null : "ip_list_required";
}

/** True if the scope of a key allows it, or the permissions of a Greenfield key do. */
function isKeyFor({ scope, grant }: KeyActor, { keys, permission }: Authority): boolean {
  if (scope === "greenfield")
    return grant != null && permission !== undefined && isGranted(grant, permission);
  return keys !== null && (scope === "full" || keys.includes(scope));
}

/** True if the origin of a Greenfield key bounds what it changes, in place of an IP list. */
function isBound({ grant }: KeyActor, { bound }: Authority): boolean {
  return grant != null && bound === "origin" && grant.origin !== null;
}

/** True for the person who runs this installation, with the command or in the console. */
export function isOperator(actor: Actor): boolean {
  return actor.kind === "operator" || (actor.kind === "person" && actor.role === "operator");
}

function isAllowed({ role }: PersonActor, action: Authority["action"]): boolean {
  return action === "own" || (action !== null && role !== null && may(role, action));
}

/** True if the person may do what is dangerous without proving again who they are. */
export function isRecent({ verifiedAt }: Pick<PersonActor, "verifiedAt">, now: Date): boolean {
  return now.getTime() - verifiedAt.getTime() < RECENT_MS;
}
