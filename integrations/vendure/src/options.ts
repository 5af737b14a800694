/** The options of the plugin. */
export interface PaylinkPluginOptions {
  /** The base URL of Paylink, ending in /v1. */
  readonly baseUrl: string;
  /** `pl_live_…` or `pl_test_…`, of the scope `full`; of `payment-links` if nothing is refunded from Vendure. */
  readonly apiKey: string;
  /** `whsec_…` of the webhook endpoint. */
  readonly webhookSecret: string;
  /** Where the customer returns after the payment, and without one. `{order}` is replaced by the order's code. */
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** Path of the webhook on Vendure's server. Default: /payments/paylink */
  readonly webhookPath?: string;
  /**
   * `mail` (default): Paylink mails the refund page to the customer. `url`: its URL is kept in the metadata of the refund, where
   * administrators can read it. Anyone who has it can say where the money goes.
   */
  readonly refunds?: "mail" | "url";
}

export const WEBHOOK_PATH = "/payments/paylink";
export const HANDLER_CODE = "paylink";
export const LOG_CONTEXT = "Paylink";

const REQUIRED = ["baseUrl", "apiKey", "webhookSecret", "successUrl", "cancelUrl"] as const;

/** Throws if an option is missing. */
export function checkOptions(options: PaylinkPluginOptions): PaylinkPluginOptions {
  const missing = REQUIRED.filter((name) => !options[name]);
  if (missing.length > 0) throw new Error(`PaylinkPlugin.init: set ${missing.join(", ")}.`);
  return options;
}
