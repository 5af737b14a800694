import type { ApiEndpoint } from "./endpoint.ts";
import { balanceEndpoints } from "./resources/balances.ts";
import { customerEndpoints } from "./resources/customers.ts";
import { depositEndpoints } from "./resources/deposits.ts";
import { historyEndpoints } from "./resources/history.ts";
import { ipEndpoints } from "./resources/ip.ts";
import { paymentLinkEndpoints } from "./resources/payment-links.ts";
import { sandboxEndpoints } from "./resources/sandbox.ts";
import { tokenEndpoints } from "./resources/tokens.ts";
import { tradeEndpoints } from "./resources/trade.ts";
import { transactionEndpoints } from "./resources/transaction/deposits.ts";
import { feeEndpoints } from "./resources/transaction/fee.ts";
import { withdrawalEndpoints } from "./resources/transaction/withdrawals.ts";
import { walletEndpoints } from "./resources/wallets.ts";
import { webhookEndpoints } from "./resources/webhooks.ts";

/** Every endpoint of the service interface, in the order in which the OpenAPI document lists them. */
export const ENDPOINTS: readonly ApiEndpoint[] = [
  ...paymentLinkEndpoints,
  ...transactionEndpoints,
  ...feeEndpoints,
  ...withdrawalEndpoints,
  ...depositEndpoints,
  ...balanceEndpoints,
  ...historyEndpoints,
  ...walletEndpoints,
  ...tokenEndpoints,
  ...tradeEndpoints,
  ...customerEndpoints,
  ...ipEndpoints,
  ...webhookEndpoints,
  ...sandboxEndpoints,
];
