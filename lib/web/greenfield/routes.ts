import type { GreenfieldRoute } from "./route.ts";
import { INVOICE_ROUTES } from "./routes/invoices.ts";
import { KEY_ROUTES } from "./routes/keys.ts";
import { REFUND_ROUTES } from "./routes/refunds.ts";
import { STORE_ROUTES } from "./routes/stores.ts";
import { WEBHOOK_ROUTES } from "./routes/webhooks.ts";

/** Every route. A path that is a special case of another is before it. */
export const ROUTES: readonly GreenfieldRoute[] = [
  ...KEY_ROUTES,
  ...INVOICE_ROUTES,
  ...REFUND_ROUTES,
  ...STORE_ROUTES,
  ...WEBHOOK_ROUTES,
];
