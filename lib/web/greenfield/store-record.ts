import { DEFAULT_LIFETIME_MS } from "#lib/domain/payment-links/rules.ts";
import type { GreenfieldCall } from "./route.ts";

/** The currency of an invoice that says none. */
export const DEFAULT_CURRENCY = "usd";

/** The confirmations that a payment needs follow its value, whatever an invoice asks for. */
export const SPEED_POLICY = "MediumSpeed";

/** A store: a merchant in one environment. */
export function storeRecord({ api, caller, storeId }: GreenfieldCall) {
  const { merchant } = caller;
  return {
    id: storeId,
    name: merchant.name,
    website: null,
    supportUrl: null,
    defaultCurrency: DEFAULT_CURRENCY.toUpperCase(),
    invoiceExpiration: DEFAULT_LIFETIME_MS / 1_000,
    monitoringExpiration: api.settings.confirmGraceHours * 3_600,
    speedPolicy: SPEED_POLICY,
    paymentTolerance: merchant.toleranceUnderBps / 100,
    redirectAutomatically: true,
    archived: false,
  };
}
