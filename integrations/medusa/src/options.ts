import { MedusaError } from "@medusajs/framework/utils";

/** The options of the provider in medusa-config. */
export interface PaylinkOptions {
  /** The base URL of Paylink, ending in /v1. */
  readonly baseUrl: string;
  /** `pl_live_…` or `pl_test_…`, of the scope `full`; of `payment-links` if nothing is refunded from Medusa. */
  readonly apiKey: string;
  /** `whsec_…` of the webhook endpoint. */
  readonly webhookSecret: string;
  /** Where the customer returns after the payment, and without one. `{cart_id}` and `{session_id}` are replaced. */
  readonly successUrl: string;
  readonly cancelUrl: string;
  /**
   * `mail` (default): Paylink mails the refund page to the customer. `url`: its URL is kept in the data of the payment, where the staff of the
   * shop can read it. Anyone who has it can say where the money goes.
   */
  readonly refunds?: "mail" | "url";
}

const REQUIRED = ["baseUrl", "apiKey", "webhookSecret", "successUrl", "cancelUrl"] as const;

/** Throws MedusaError if an option is missing. */
export function checkOptions(options: Record<string, unknown>): void {
  const missing = REQUIRED.filter((name) => typeof options[name] !== "string" || options[name] === "");
  if (missing.length > 0)
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      `Paylink: set the options ${missing.join(", ")} of the provider.`,
    );
}
