import type { BigNumberInput } from "@medusajs/framework/types";
import { MathBN } from "@medusajs/framework/utils";
import { currencyPlaces, roundDecimal } from "@paylink/shop";

/** Medusa's amount as an exact decimal in the places of its currency. Medusa compares amounts rounded so, too. */
export function toDecimal(amount: BigNumberInput, currency: string): string {
  return roundDecimal(MathBN.convert(amount).toFixed(), currencyPlaces(currency));
}
