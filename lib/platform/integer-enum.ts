import * as z from "zod";

/**
 * A schema of one of these integers, for flags and statuses. `z.literal` alone would validate the same, but the OpenAPI
 * document would list only its first value.
 */
export function integerEnum<const Values extends readonly [number, ...number[]]>(...values: Values) {
  return z.literal(values).meta({ type: "integer", enum: [...values] });
}
