import { z } from "@hono/zod-openapi";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { type Env, findNetworkToken } from "#lib/chains/network-data.ts";
import { isNetworkCode, NETWORKS } from "#lib/chains/networks.ts";
import { listNetworkSettings, listTokenSettings } from "#lib/domain/settings/read-settings.ts";
import type { NetworkSettings, TokenSettings } from "#lib/domain/settings/types.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { readingEndpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { JsonText, type JsonValue, toJsonNumber } from "../json-text.ts";

const moment = z.string().openapi({ format: "date-time" });
const flag = z
  .number()
  .int()
  .openapi({ enum: [0, 1] });
const networkList = z.string().openapi({
  description:
    "A JSON array of network codes, as a string: networks that carry the token, where the settings of both allow it. " +
    "Whether a network is configured here, get-network says.",
  example: '["trc20","bep20"]',
});

const tokenData = z
  .object({
    id: z.number().int(),
    token: z.string(),
    price_usd: z
      .number()
      .nullable()
      .openapi({
        description:
          "Of one, to be shown: the last price known, also while none is fresh enough to buy at. null: none was known since the " +
          "service started.",
      }),
    status: flag,
    send: flag,
    receive: flag,
    buy: flag,
    sell: flag,
    swap: flag,
    minimum_trade: z.number().openapi({ description: "Whole tokens, like every amount that follows." }),
    maximum_trade: z.number(),
    minimum_send: z.number(),
    maximum_send: z.number(),
    minimum_receive: z.number(),
    maximum_receive: z.number(),
    send_fee: z.number(),
    send_networks: networkList,
    receive_networks: networkList,
    created_at: moment,
    updated_at: moment,
    deleted_at: z.null(),
  })
  .openapi("TokenConfiguration");

/** Endpoint 19. */
const tokens = readingEndpoint(
  {
    method: "get",
    path: "/tokens",
    operationId: "getTokens",
    tag: "Tokens",
    summary: "Every token: its price, what can be done with it, its limits and networks",
    scopes: ["read"],
    data: z.object({ tokens: z.array(z.string()), tokenConfigs: z.array(tokenData) }),
    errors: [],
  },
  async ({ api, caller, now }) => {
    const { env } = caller;
    const { db } = api.database;
    const [settings, networks] = await Promise.all([
      listTokenSettings(db, env),
      listNetworkSettings(db, env),
    ]);
    const price = (token: TokenCode) => api.rates.latestUsd(token, now)?.price ?? null;
    return success("tokens retrieved successfully", {
      tokens: settings.map(({ token }) => token),
      tokenConfigs: settings.map((row) =>
        tokenToJson(
          row,
          price(row.token),
          networks.filter(({ network }) => carries(api.networks, env, network, row.token)),
        ),
      ),
    });
  },
);

/** `networks`: those that carry the token. */
function tokenToJson(
  row: TokenSettings,
  price: string | null,
  networks: readonly NetworkSettings[],
): JsonValue {
  const units = (amount: bigint) => toJsonNumber(amount, TOKENS[row.token].ledgerDecimals);
  const flag = (on: boolean) => (on ? 1 : 0);
  return {
    id: row.id,
    token: row.token,
    price_usd: price === null ? null : new JsonText(price),
    status: flag(row.status),
    send: flag(row.send),
    receive: flag(row.receive),
    buy: flag(row.buy),
    sell: flag(row.sell),
    swap: flag(row.swap),
    minimum_trade: units(row.minimumTrade),
    maximum_trade: units(row.maximumTrade),
    minimum_send: units(row.minimumSend),
    maximum_send: units(row.maximumSend),
    minimum_receive: units(row.minimumReceive),
    maximum_receive: units(row.maximumReceive),
    send_fee: units(row.sendFee),
    send_networks: networksOf(row, networks, "send"),
    receive_networks: networksOf(row, networks, "receive"),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    deleted_at: null,
  };
}

/** Networks where both the token and the network are on and allow this. */
function networksOf(
  row: TokenSettings,
  networks: readonly NetworkSettings[],
  use: "send" | "receive",
): string {
  const open = networks.filter((settings) => row.status && row[use] && settings.status && settings[use]);
  return JSON.stringify(open.map(({ network }) => network));
}

/** A network that is on may have been given a contract of its own; one that is off still has its data. */
function carries(networks: NetworkRegistry, env: Env, network: string, token: TokenCode): boolean {
  if (!isNetworkCode(network)) return false;
  return findNetworkToken(networks.find(env, network)?.data ?? NETWORKS[network], env, token) !== null;
}

export const tokenEndpoints = [tokens];
