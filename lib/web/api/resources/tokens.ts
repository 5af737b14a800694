import { z } from "@hono/zod-openapi";
import { findNetworkToken, findReceivedToken } from "#lib/chains/network-data.ts";
import { isNetworkCode, NETWORKS } from "#lib/chains/networks.ts";
import { openPriceLookup } from "#lib/domain/rates/queries.ts";
import { PRICE_STATES, type TokenPrice } from "#lib/domain/rates/types.ts";
import { listNetworkSettings, listTokenSettings } from "#lib/domain/settings/queries.ts";
import type { NetworkSettings, TokenSettings } from "#lib/domain/settings/types.ts";
import { integerEnum } from "#lib/platform/integer-enum.ts";
import { JsonText, type JsonValue, toJsonNumber } from "#lib/platform/json-text.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { neverDeleted, timestamp } from "../fields/common.ts";

const flag = integerEnum(0, 1);
const networkList = z.string().openapi({
  description:
    "A JSON array of network codes, as a string: the networks of the token where the settings of both allow it. " +
    "get-network shows if the network is configured.",
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
          "Price of one token, for display: the last known price, even if it is too old for a buy. See `price_state`. " +
          "null only before the first price.",
      }),
    status: flag,
    send: flag,
    receive: flag,
    buy: flag,
    sell: flag,
    swap: flag,
    minimum_trade: z.number().openapi({ description: "Whole tokens, like all amounts below." }),
    maximum_trade: z.number(),
    minimum_send: z.number(),
    maximum_send: z.number(),
    minimum_receive: z.number(),
    maximum_receive: z.number(),
    send_fee: z.number(),
    send_networks: networkList,
    receive_networks: networkList,
    created_at: timestamp,
    updated_at: timestamp,
    deleted_at: neverDeleted,
    price_state: z.enum(PRICE_STATES).openapi({
      description:
        "current: a buy is priced with it. last_known: there is no current price, buys are refused, and `price_usd` is " +
        "the last one. none: there was never a price.",
    }),
    price_at: timestamp.nullable().openapi({ description: "The time of `price_usd`." }),
  })
  .openapi("TokenConfiguration");

/** Endpoint 19. */
export const getTokensEndpoint = endpoint(
  {
    method: "get",
    path: "/tokens",
    operationId: "getTokens",
    tag: "Tokens",
    summary: "List the tokens with their prices, allowed uses, limits and networks",
    description: "`tokens` has the symbols, `tokenConfigs` the configuration of each.",
    auth: ["read"],
    action: "payments.view",
    message: "tokens retrieved successfully",
    data: z.object({ tokens: z.array(z.string()), tokenConfigs: z.array(tokenData) }),
    errors: [],
  },
  async ({ api, caller, now }) => {
    const { env } = caller;
    const { db } = api.database;
    const [settings, networks, findPrice] = await Promise.all([
      listTokenSettings(db, env),
      listNetworkSettings(db, env),
      openPriceLookup(db, api.rates, now),
    ]);
    // The configured token contract if the network is enabled, otherwise the built-in network data.
    const findToken = (find: typeof findNetworkToken, network: string, token: TokenCode) =>
      isNetworkCode(network) && find(api.networks.find(env, network)?.data ?? NETWORKS[network], env, token);
    return success({
      tokens: settings.map(({ token }) => token),
      tokenConfigs: settings.map((row) =>
        tokenToJson(row, findPrice(row.token), {
          send: networks.filter(({ network }) => findToken(findNetworkToken, network, row.token)),
          receive: networks.filter(({ network }) => findToken(findReceivedToken, network, row.token)),
        }),
      ),
    });
  },
);

/** `networks`: the networks that have the token, and those that receive it. */
function tokenToJson(
  row: TokenSettings,
  price: TokenPrice,
  networks: Readonly<Record<"send" | "receive", readonly NetworkSettings[]>>,
): JsonValue {
  const units = (amount: bigint) => toJsonNumber(amount, TOKENS[row.token].ledgerDecimals);
  return {
    id: row.id,
    token: row.token,
    price_usd: price.price === null ? null : new JsonText(price.price),
    status: Number(row.status),
    send: Number(row.send),
    receive: Number(row.receive),
    buy: Number(row.buy),
    sell: Number(row.sell),
    swap: Number(row.swap),
    minimum_trade: units(row.minimumTrade),
    maximum_trade: units(row.maximumTrade),
    minimum_send: units(row.minimumSend),
    maximum_send: units(row.maximumSend),
    minimum_receive: units(row.minimumReceive),
    maximum_receive: units(row.maximumReceive),
    send_fee: units(row.sendFee),
    send_networks: writeNetworkList(row, networks.send, "send"),
    receive_networks: writeNetworkList(row, networks.receive, "receive"),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    deleted_at: null,
    price_state: price.state,
    price_at: price.at,
  };
}

/** The networks where the settings of the token and of the network allow this use, as a JSON array. */
function writeNetworkList(
  row: TokenSettings,
  networks: readonly NetworkSettings[],
  use: "send" | "receive",
): string {
  const allowed = networks.filter((settings) => row.status && row[use] && settings.status && settings[use]);
  return JSON.stringify(allowed.map(({ network }) => network));
}
