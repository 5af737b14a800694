import type { ApiEndpoint } from "./endpoint.ts";
import { getStatisticsEndpoint, getWalletMetricsEndpoint } from "./resources/analytics.ts";
import { getBalancesEndpoint } from "./resources/balances.ts";
import { listCustomersEndpoint } from "./resources/customers.ts";
import { listUnmatchedDepositsEndpoint } from "./resources/deposits.ts";
import {
  archiveFormEndpoint,
  createFormEndpoint,
  getFormEndpoint,
  listFormsEndpoint,
  updateFormEndpoint,
} from "./resources/forms.ts";
import { getHistoryEndpoint } from "./resources/history.ts";
import {
  addWhitelistedIpEndpoint,
  listWhitelistedIpsEndpoint,
  removeWhitelistedIpEndpoint,
} from "./resources/ip.ts";
import { createKeyEndpoint, listKeysEndpoint, revokeKeyEndpoint } from "./resources/keys.ts";
import {
  getMerchantEndpoint,
  listMembersEndpoint,
  removeLogoEndpoint,
  setLogoEndpoint,
  updateMerchantEndpoint,
} from "./resources/merchant.ts";
import {
  cancelPaymentLinkEndpoint,
  createPaymentLinkEndpoint,
  getPaymentLinkEndpoint,
  getSupportedNetworksEndpoint,
  listPaymentLinksEndpoint,
  quotePaymentLinkEndpoint,
} from "./resources/payment-links.ts";
import {
  listRefundClaimsEndpoint,
  refundPaymentLinkEndpoint,
  revokeRefundClaimEndpoint,
} from "./resources/refunds.ts";
import { createSandboxPaymentEndpoint } from "./resources/sandbox.ts";
import { getTokensEndpoint } from "./resources/tokens.ts";
import { buyTokenEndpoint } from "./resources/trade.ts";
import {
  getNetworkFeeEndpoint,
  requeryTransactionEndpoint,
  searchBlockchainTransactionEndpoint,
} from "./resources/transaction/blockchain.ts";
import {
  getDepositEndpoint,
  getDepositStatusEndpoint,
  listTokenDepositsEndpoint,
} from "./resources/transaction/deposits.ts";
import { getTransactionFeeEndpoint } from "./resources/transaction/fee.ts";
import {
  getWithdrawalByRefidEndpoint,
  listTokenWithdrawalsEndpoint,
} from "./resources/transaction/withdrawals.ts";
import {
  generateMerchantWalletEndpoint,
  generateWalletEndpoint,
  getAddressesEndpoint,
  getAllNetworksEndpoint,
  getNetworkEndpoint,
} from "./resources/wallets.ts";
import {
  createWebhookEndpointEndpoint,
  listWebhookEndpointsEndpoint,
  removeWebhookEndpointEndpoint,
  rotateWebhookSecretEndpoint,
  testWebhookEndpointEndpoint,
  updateWebhookEndpointEndpoint,
} from "./resources/webhook-endpoints.ts";
import { listWebhookDeliveriesEndpoint, retriggerWebhooksEndpoint } from "./resources/webhooks.ts";
import {
  cancelWithdrawalEndpoint,
  createWithdrawalEndpoint,
  getWithdrawalEndpoint,
} from "./resources/withdrawals.ts";

/** Every endpoint of the service interface, in the order of the OpenAPI document. */
export const ENDPOINTS: readonly ApiEndpoint[] = [
  getSupportedNetworksEndpoint,
  createPaymentLinkEndpoint,
  listPaymentLinksEndpoint,
  getPaymentLinkEndpoint,
  quotePaymentLinkEndpoint,
  cancelPaymentLinkEndpoint,
  createFormEndpoint,
  listFormsEndpoint,
  getFormEndpoint,
  updateFormEndpoint,
  archiveFormEndpoint,
  listTokenDepositsEndpoint,
  getDepositEndpoint,
  getDepositStatusEndpoint,
  searchBlockchainTransactionEndpoint,
  requeryTransactionEndpoint,
  getNetworkFeeEndpoint,
  getTransactionFeeEndpoint,
  listTokenWithdrawalsEndpoint,
  getWithdrawalByRefidEndpoint,
  createWithdrawalEndpoint,
  getWithdrawalEndpoint,
  cancelWithdrawalEndpoint,
  refundPaymentLinkEndpoint,
  listRefundClaimsEndpoint,
  revokeRefundClaimEndpoint,
  listUnmatchedDepositsEndpoint,
  getBalancesEndpoint,
  getHistoryEndpoint,
  getStatisticsEndpoint,
  getWalletMetricsEndpoint,
  generateWalletEndpoint,
  generateMerchantWalletEndpoint,
  getNetworkEndpoint,
  getAllNetworksEndpoint,
  getAddressesEndpoint,
  getTokensEndpoint,
  buyTokenEndpoint,
  listCustomersEndpoint,
  listWhitelistedIpsEndpoint,
  addWhitelistedIpEndpoint,
  removeWhitelistedIpEndpoint,
  getMerchantEndpoint,
  updateMerchantEndpoint,
  setLogoEndpoint,
  removeLogoEndpoint,
  listMembersEndpoint,
  listKeysEndpoint,
  createKeyEndpoint,
  revokeKeyEndpoint,
  listWebhookEndpointsEndpoint,
  createWebhookEndpointEndpoint,
  updateWebhookEndpointEndpoint,
  removeWebhookEndpointEndpoint,
  rotateWebhookSecretEndpoint,
  testWebhookEndpointEndpoint,
  retriggerWebhooksEndpoint,
  listWebhookDeliveriesEndpoint,
  createSandboxPaymentEndpoint,
];
