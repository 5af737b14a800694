import { apiKeys, customers, ipEntries, merchants } from "./tables.ts";

// The columns of the types Merchant, ApiKey, IpEntry and Customer, for selects and returning clauses.

export const MERCHANT_COLUMNS = {
  id: merchants.id,
  code: merchants.code,
  email: merchants.email,
  name: merchants.name,
  status: merchants.status,
  latePolicy: merchants.latePolicy,
  feePercentage: merchants.feePercentage,
  toleranceUnderBps: merchants.toleranceUnderBps,
  toleranceUnderMax: merchants.toleranceUnderMax,
  toleranceOverBps: merchants.toleranceOverBps,
  roundStablecoins: merchants.roundStablecoins,
  rateMarkupBps: merchants.rateMarkupBps,
  fixedRates: merchants.fixedRates,
  paymentPairs: merchants.paymentPairs,
  allowOrigins: merchants.allowOrigins,
  logo: merchants.logo,
  accent: merchants.accent,
  support: merchants.support,
  timeZone: merchants.timeZone,
  displayCurrency: merchants.displayCurrency,
  createdAt: merchants.createdAt,
  updatedAt: merchants.updatedAt,
};

export const KEY_COLUMNS = {
  id: apiKeys.id,
  env: apiKeys.env,
  scope: apiKeys.scope,
  permissions: apiKeys.permissions,
  origin: apiKeys.origin,
  last4: apiKeys.last4,
  name: apiKeys.name,
  madeBy: apiKeys.madeBy,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastUsedAt,
  revokedAt: apiKeys.revokedAt,
};

export const IP_ENTRY_COLUMNS = {
  id: ipEntries.id,
  name: ipEntries.name,
  address: ipEntries.address,
  createdAt: ipEntries.createdAt,
  updatedAt: ipEntries.updatedAt,
};

export const CUSTOMER_COLUMNS = {
  id: customers.id,
  email: customers.email,
  firstName: customers.firstName,
  lastName: customers.lastName,
  phone: customers.phone,
  blacklisted: customers.blacklisted,
  verified: customers.verified,
  createdAt: customers.createdAt,
} as const;
