/** Every reason a use case may refuse an operator with, in words. A reason that is missing here does not compile. */
export const REFUSALS = {
  email_taken: "there is a merchant with this e-mail address already",
  merchant_not_found: "there is no merchant with this e-mail address",
  no_endpoint: "the merchant has no webhook endpoint in this environment",
  key_not_found: "there is no key with this id",
  already_revoked: "the key is revoked already",
  revoked_in_the_past: "--at lies in the past",
  expires_in_the_past: "--expires lies in the past",
  deposit_not_found: "there is no unmatched deposit with this id",
  deposit_not_confirmed: "the deposit is not confirmed yet",
  deposit_dropped: "the chain took the deposit back",
  already_resolved: "the deposit was resolved before",
  entry_not_found: "there is no address entry with this id",
  invalid_address: "--address must be an IPv4 or IPv6 address, or a CIDR range",
  invalid_email: "--email must be an e-mail address",
  invalid_name: "--name must have 1 to 200 characters",
  invalid_webhookUrl: "--webhook-url must be an http or https URL without user name",
  invalid_latePolicy: "--late-policy must be hold or accept",
  invalid_feePercentage: "--fee-percentage must be from 0 to 100, with at most four decimals",
  invalid_toleranceUnderBps: "--tolerance-under-bps must be from 0 to 9999",
  invalid_toleranceOverBps: "--tolerance-over-bps must be from 0 to 10000",
  invalid_rateMarkupBps: "--rate-markup-bps must be from 0 to 10000",
  invalid_fixedRates: "--fixed-rates must be rates like usdt/ngn=1600,btc/usd=60000",
  invalid_allowOrigins: "--allow-origin must be a web origin like https://shop.example, without a path",
  invalid_status: "a merchant is active or disabled",
} as const;

export type RefusalReason = keyof typeof REFUSALS;
