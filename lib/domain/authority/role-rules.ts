import type { Role } from "./types.ts";

export const ROLES = [
  "owner",
  "manager",
  "developer",
  "accountant",
  "cashier",
] as const satisfies readonly Role[];

/** The purpose of each role, as screens say it. */
export const ROLE_TEXTS: Readonly<Record<Role | "operator", string>> = {
  owner: "Everything, and who works here",
  manager: "Payments, links and balances",
  developer: "Payments, links, keys and webhooks",
  accountant: "Reads payments and balances",
  cashier: "Asks for payments and watches them",
  operator: "Runs this installation",
};

/**
 * The roles that may do each action in a merchant's console. Every action asks this table, and a test walks all actions with all roles.
 * The operator has a row of their own: they see everything and manage people, but do not trade for a merchant.
 */
export const ACTIONS = {
  "payments.view": ["owner", "manager", "developer", "accountant", "cashier", "operator"],
  "payments.note": ["owner", "manager", "developer", "accountant", "cashier"],
  "customers.view": ["owner", "manager", "accountant", "cashier", "operator"],
  "customers.note": ["owner", "manager", "accountant", "cashier"],
  "exports.read": ["owner", "manager", "accountant", "operator"],
  "links.create": ["owner", "manager", "developer", "cashier"],
  "links.cancel": ["owner", "manager", "cashier"],
  "forms.view": ["owner", "manager", "developer", "operator"],
  "forms.change": ["owner", "manager"],
  "money.view": ["owner", "manager", "accountant", "operator"],
  "deposits.resolve": ["owner", "manager", "operator"],
  "withdrawals.create": ["owner", "manager"],
  "withdrawals.approve": ["owner", "manager"],
  "withdrawals.sign": ["owner", "manager", "operator"],
  "withdrawals.policy": ["owner", "operator"],
  "statements.read": ["owner", "manager", "accountant", "operator"],
  "developers.view": ["owner", "developer", "operator"],
  "keys.change": ["owner", "developer"],
  "webhooks.change": ["owner", "developer"],
  "ips.change": ["owner", "developer"],
  "settings.view": ["owner", "manager", "developer", "operator"],
  "settings.change": ["owner", "manager"],
  "audit.view": ["owner", "operator"],
  "members.view": ["owner", "manager", "operator"],
  "members.invite": ["owner", "operator"],
  "members.change": ["owner", "operator"],
  "installation.change": ["operator"],
} as const satisfies Readonly<Record<string, readonly (Role | "operator")[]>>;

export type Action = keyof typeof ACTIONS;

export function may(role: Role | "operator", action: Action): boolean {
  return (ACTIONS[action] as readonly string[]).includes(role);
}
