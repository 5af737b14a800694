import { LINK_PAIRS } from "#lib/chains/networks.ts";
import { paymentMethodId } from "#lib/chains/payment-method.ts";
import { answer } from "../answers.ts";
import { type GreenfieldRoute, route } from "../route.ts";

/** The version of BTCPay Server whose protocol this is. Plugins refuse older ones. */
const VERSION = "2.4.1";

/** The routes that every key may use. */
export const KEY_ROUTES: readonly GreenfieldRoute[] = [
  route("get", "/server/info", null, () =>
    answer({
      version: VERSION,
      fullySynched: true,
      supportedPaymentMethods: LINK_PAIRS.map(paymentMethodId),
      syncStatus: [],
    }),
  ),
  route("get", "/api-keys/current", null, ({ caller, key, storeId }) =>
    answer({
      apiKey: key,
      label: caller.merchant.name,
      permissions: (caller.permissions ?? []).map((permission) => `${permission}:${storeId}`),
    }),
  ),
];
