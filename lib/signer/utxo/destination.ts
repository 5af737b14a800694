import { toChainUnits, toLedgerUnits } from "#lib/chains/units.ts";
import { encodeAddressScript } from "#lib/chains/utxo/address.ts";
import { isLostScript } from "#lib/chains/utxo/lost-script.ts";
import type { UtxoSending } from "#lib/chains/utxo/sending.ts";
import type { HoldReason, Payout } from "../types.ts";
import { dustLimit } from "./size-rules.ts";

/** Why a payout can never be made as it is. Asks no node. `isOurs`: whether a script is one of our change addresses. */
export function findRefusal(
  { token, amount, to }: Payout,
  { coin, chain, family }: UtxoSending,
  isOurs: (script: Uint8Array) => boolean,
): HoldReason | null {
  if (token !== coin.token) return "not_in_policy";
  const script = encodeAddressScript(to, chain);
  if (isLostScript(script) || isOurs(script)) return "destination_unsafe";
  const satoshis = toChainUnits(amount, coin);
  if (toLedgerUnits(satoshis, coin) !== amount) return "amount_not_exact";
  return satoshis < dustLimit(family, script) ? "below_minimum" : null;
}
