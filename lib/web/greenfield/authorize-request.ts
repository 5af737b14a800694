import { findPermission } from "#lib/domain/authority/permission-rules.ts";
import type { Permission } from "#lib/domain/authority/types.ts";
import { MAX_KEY_NAME } from "#lib/domain/merchants/create-key.ts";
import { oneLineOf } from "#lib/platform/plain-text.ts";

const MOST_PERMISSIONS = 40;

/** The request of a plugin for a key. */
export interface AuthorizeRequest {
  /** The name that the plugin gives itself. "": none. */
  readonly name: string;
  /** Each once, in the order that was asked. */
  readonly permissions: readonly Permission[];
  /** Permissions that open nothing here. With any of them, nobody can give the key. */
  readonly unknown: readonly string[];
  /** The address that gets the key. null: none, and the person copies it. "malformed" cannot get it. */
  readonly redirect: string | null | "malformed";
}

/** Reads the query of /api-keys/authorize, or the fields of its form. */
export function readAuthorizeRequest(query: URLSearchParams): AuthorizeRequest {
  const asked = query.getAll("permissions").slice(0, MOST_PERMISSIONS);
  // A plugin may ask for a permission of one store. The person chooses the store.
  const names = [...new Set(asked.map((text) => text.split(":")[0]?.trim() ?? ""))].filter(Boolean);
  const redirect = query.get("redirect") || null;
  return {
    name: oneLineOf(query.get("applicationName") ?? "").slice(0, MAX_KEY_NAME),
    permissions: names.flatMap((name) => findPermission(name) ?? []),
    unknown: names.filter((name) => findPermission(name) === null),
    redirect: redirect === null || /^https?:\/\//i.test(redirect) ? redirect : "malformed",
  };
}

/** The plugins whose keys can be made in the console, each with the permissions that it compares with. */
export const PLUGIN_PRESETS = {
  woocommerce: {
    name: "WooCommerce",
    permissions: [
      "btcpay.store.canviewinvoices",
      "btcpay.store.cancreateinvoice",
      "btcpay.store.canviewstoresettings",
      "btcpay.store.canmodifyinvoices",
      "btcpay.store.webhooks.canmodifywebhooks",
      "btcpay.store.cancreatenonapprovedpullpayments",
    ],
  },
  prestashop: {
    name: "PrestaShop, XenForo, GiveWP, VirtueMart",
    permissions: [
      "btcpay.store.canmodifystoresettings",
      "btcpay.store.webhooks.canmodifywebhooks",
      "btcpay.store.canviewstoresettings",
      "btcpay.store.cancreateinvoice",
      "btcpay.store.canviewinvoices",
      "btcpay.store.canmodifyinvoices",
    ],
  },
  magento: {
    name: "Magento 2",
    permissions: [
      "btcpay.store.canviewinvoices",
      "btcpay.store.cancreateinvoice",
      "btcpay.store.webhooks.canmodifywebhooks",
      "btcpay.store.canviewstoresettings",
      "btcpay.store.canmodifyinvoices",
    ],
  },
  shopware: {
    name: "Shopware 6, OpenCart, WHMCS, Zapier, Cal.com",
    permissions: [
      "btcpay.store.cancreateinvoice",
      "btcpay.store.canviewinvoices",
      "btcpay.store.webhooks.canmodifywebhooks",
      "btcpay.store.canviewstoresettings",
    ],
  },
  nopcommerce: {
    name: "nopCommerce, GrandNode, Smartstore",
    permissions: [
      "btcpay.store.cancreateinvoice",
      "btcpay.store.canviewinvoices",
      "btcpay.store.canmodifyinvoices",
      "btcpay.store.webhooks.canmodifywebhooks",
      "btcpay.store.canviewstoresettings",
      "btcpay.store.cancreatenonapprovedpullpayments",
    ],
  },
} as const satisfies Readonly<
  Record<string, { readonly name: string; readonly permissions: readonly Permission[] }>
>;

export type PluginName = keyof typeof PLUGIN_PRESETS;

/** Each permission as people read it. */
export const PERMISSION_TEXTS: Readonly<Record<Permission, string>> = {
  "btcpay.store.canviewinvoices": "see payment links and their payments",
  "btcpay.store.cancreateinvoice": "make payment links",
  "btcpay.store.canmodifyinvoices": "make, see, change and end payment links",
  "btcpay.store.canviewstoresettings": "see the name and the payment methods",
  "btcpay.store.canmodifystoresettings": "see the name and the payment methods, and change its own webhooks",
  "btcpay.store.webhooks.canmodifywebhooks": "make and change webhooks to its own address",
  "btcpay.store.cancreatenonapprovedpullpayments":
    "send refunds of payments: at most what was paid, as far as the merchant's policy pays by itself",
};
