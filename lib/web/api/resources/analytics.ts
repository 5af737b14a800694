import { z } from "@hono/zod-openapi";
import { getStatistics } from "#lib/domain/ledger/queries.ts";
import { USD_DECIMALS } from "#lib/domain/ledger/value-rules.ts";
import { countAddressesByNetwork } from "#lib/domain/wallets/queries.ts";
import { toJsonNumber } from "#lib/platform/json-text.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";

/** Endpoint 12. */
export const getStatisticsEndpoint = endpoint(
  {
    method: "get",
    path: "/analytics/stats",
    operationId: "getStatistics",
    tag: "Balances",
    summary: "Get the total value of all movements in USD",
    description:
      "Each movement is valued at the price of its time. One without a price is counted as soon as a price is known.",
    auth: ["read"],
    action: "money.view",
    reports: true,
    message: "statistics retrieved successfully",
    data: z
      .object({
        total_volume: z.number().openapi({ description: "Credit plus debit, in USD." }),
        total_credit: z.number().openapi({ description: "Total of credits, in USD." }),
        total_debit: z.number().openapi({ description: "Total of debits, in USD." }),
      })
      .openapi("Statistics"),
    errors: [],
  },
  async ({ api, caller }) => {
    const { credit, debit } = await getStatistics(api.database.db, caller.env, caller.merchant.id);
    return success({
      total_volume: toJsonNumber(credit + debit, USD_DECIMALS),
      total_credit: toJsonNumber(credit, USD_DECIMALS),
      total_debit: toJsonNumber(debit, USD_DECIMALS),
    });
  },
);

const metricsData = z
  .object({
    totalWalletGenerated: z.number().int().openapi({ description: "Allocated addresses, for any purpose." }),
    totalDeletedWallets: z.number().int().openapi({ description: "Always 0: every address stays watched." }),
    breakdownByNetwork: z.array(z.object({ network: z.string(), count: z.number().int() })),
  })
  .openapi("WalletMetrics");

/** Endpoint 13. */
export const getWalletMetricsEndpoint = endpoint(
  {
    method: "get",
    path: "/analytics/wallet-stats",
    operationId: "getWalletMetrics",
    tag: "Balances",
    summary: "Count the merchant's addresses",
    description: "In all, and for each network. Addresses are never deleted.",
    auth: ["read"],
    action: "money.view",
    reports: true,
    message: "wallet statistics retrieved successfully",
    data: metricsData,
    errors: [],
  },
  async ({ api, caller }) => {
    const counts = await countAddressesByNetwork(api.database.db, caller.env, caller.merchant.id);
    return success({
      totalWalletGenerated: counts.reduce((sum, { count }) => sum + count, 0),
      totalDeletedWallets: 0,
      breakdownByNetwork: counts.map(({ network, count }) => ({ network, count })),
    });
  },
);
