import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { AccountCode } from "./types.ts";

/** Coins that the operator moved. No merchant's balance changes. */
export type OperatorMovement =
  | { readonly kind: "between_networks"; readonly network: NetworkCode; readonly to: NetworkCode }
  /** The operator's own coins for the trading desk, which owes what merchants bought. */
  | { readonly kind: "brought_in"; readonly network: NetworkCode }
  /** Profit from buys and fees that the operator takes. */
  | { readonly kind: "taken_out"; readonly network: NetworkCode; readonly account: "fees" | "desk" };

export type OperatorMovementRefusal =
  | "movement_amount_not_positive"
  | "movement_reference_malformed"
  | "movement_to_the_same_network"
  | "token_not_on_network"
  | "custody_too_small"
  | "account_too_small"
  | "movement_recorded_before";

const REFERENCE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * The two accounts of a movement. The balance of a custody account is minus the coins held there. So coins that leave
 * custody are a transfer to the custody account.
 */
export function movementAccounts(movement: OperatorMovement): {
  readonly from: AccountCode;
  readonly to: AccountCode;
} {
  const custody: AccountCode = `custody:${movement.network}`;
  switch (movement.kind) {
    case "between_networks":
      return { from: `custody:${movement.to}`, to: custody };
    case "brought_in":
      return { from: custody, to: "desk" };
    case "taken_out":
      return { from: movement.account, to: custody };
  }
}

/** The first rule that the input of a movement breaks, or null. Needs no balances. */
export function checkMovement(
  movement: OperatorMovement,
  { token, amount, reference }: { token: TokenCode; amount: bigint; reference: string },
): OperatorMovementRefusal | null {
  if (amount <= 0n) return "movement_amount_not_positive";
  if (!REFERENCE.test(reference)) return "movement_reference_malformed";
  const networks = [movement.network, ...(movement.kind === "between_networks" ? [movement.to] : [])];
  if (movement.kind === "between_networks" && movement.to === movement.network) {
    return "movement_to_the_same_network";
  }
  return networks.every((network) => token in NETWORKS[network].tokens) ? null : "token_not_on_network";
}

/** Why the balances do not allow a movement, or null. `balance` returns ledger units. Added funds come from outside. */
export function checkMovementFunds(
  movement: OperatorMovement,
  amount: bigint,
  balance: (code: AccountCode) => bigint,
): OperatorMovementRefusal | null {
  if (movement.kind === "brought_in") return null;
  if (-balance(`custody:${movement.network}`) < amount) return "custody_too_small";
  return movement.kind === "taken_out" && balance(movement.account) < amount ? "account_too_small" : null;
}
