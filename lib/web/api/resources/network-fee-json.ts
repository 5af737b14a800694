import { z } from "@hono/zod-openapi";
import type { ByteRates, NetworkFee } from "#lib/chains/network.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { type JsonValue, toJsonNumber } from "../json-text.ts";

const GWEI_DECIMALS = 9;

const common = {
  network: z.string(),
  token: z.string().openapi({ description: "The network's own coin, which the fee is paid in." }),
  fee: z.number().openapi({ description: "Whole coins, exact.", example: 0.00000141 }),
};
const rate = (description: string) => z.number().openapi({ description });

export const networkFeeData = z.union([
  z
    .object({
      ...common,
      virtual_bytes: z.number().int().openapi({ description: "Estimated size of the transaction." }),
      rates: z
        .object({
          fastest: rate("Within 2 blocks; `fee` is reckoned with it."),
          half_hour: rate("Within 3 blocks."),
          hour: rate("Within 6 blocks."),
          economy: rate("Within 144 blocks."),
          minimum: rate("The least that the node passes on."),
        })
        .openapi({ description: "Recommended rates, satoshis per virtual byte." }),
    })
    .openapi("NetworkFeePerByte"),
  z
    .object({
      ...common,
      gas: z.number().int().openapi({ description: "Of a token transfer." }),
      gas_price: z.number().openapi({ description: "Gwei, exact." }),
    })
    .openapi("NetworkFeePerGas"),
  z.object(common).openapi("NetworkFeeFlat"),
]);

/** A fee object of endpoint 8. */
export function networkFeeToJson(network: string, quoted: NetworkFee): JsonValue {
  const { coin } = quoted;
  const common = { network, token: coin, fee: toJsonNumber(quoted.fee, TOKENS[coin].ledgerDecimals) };
  if (quoted.kind === "per_gas") {
    return { ...common, gas: quoted.gas, gas_price: toJsonNumber(quoted.gasPrice, GWEI_DECIMALS) };
  }
  if (quoted.kind === "flat") return common;
  return { ...common, virtual_bytes: quoted.virtualBytes, rates: ratesToJson(quoted.rates) };
}

function ratesToJson({ fastest, halfHour, hour, economy, minimum }: ByteRates): JsonValue {
  return { fastest, half_hour: halfHour, hour, economy, minimum };
}
