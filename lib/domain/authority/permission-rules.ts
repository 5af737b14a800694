import type { Action } from "./role-rules.ts";
import { type Grant, PERMISSIONS, type Permission } from "./types.ts";

/** The action that the role of the person who made a key must allow, for each permission. */
export const PERMISSION_ACTIONS = {
  "btcpay.store.canviewinvoices": "payments.view",
  "btcpay.store.cancreateinvoice": "links.create",
  "btcpay.store.canmodifyinvoices": "links.create",
  "btcpay.store.canviewstoresettings": "payments.view",
  "btcpay.store.canmodifystoresettings": "webhooks.change",
  "btcpay.store.webhooks.canmodifywebhooks": "webhooks.change",
  "btcpay.store.cancreatenonapprovedpullpayments": "withdrawals.create",
} as const satisfies Readonly<Record<Permission, Action>>;

/** The permissions that a permission has in it. */
const PARTS: Readonly<Partial<Record<Permission, readonly Permission[]>>> = {
  "btcpay.store.canmodifyinvoices": ["btcpay.store.canviewinvoices", "btcpay.store.cancreateinvoice"],
  "btcpay.store.canmodifystoresettings": [
    "btcpay.store.canviewstoresettings",
    "btcpay.store.webhooks.canmodifywebhooks",
  ],
};

/** The permission with this name. null: it opens nothing here, so that no key gets it. */
export function findPermission(text: string): Permission | null {
  return PERMISSIONS.find((permission) => permission === text) ?? null;
}

/** True if a key with these permissions may do what one permission allows. */
export function isGranted({ permissions }: Pick<Grant, "permissions">, needed: Permission): boolean {
  return permissions.some((given) => given === needed || PARTS[given]?.includes(needed) === true);
}
