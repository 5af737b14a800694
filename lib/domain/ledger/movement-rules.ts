import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { AccountCode } from "./types.ts";

/** What the operator did with coins that the service holds or is to hold; no merchant's balance changes. */
export type OperatorMovement =
  | { readonly kind: "between_networks"; readonly network: NetworkCode; readonly to: NetworkCode }
  /** Coins of the operator's own, for the desk, which owes what merchants bought. */
  | { readonly kind: "brought_in"; readonly network: NetworkCode }
  /** What buys and fees earned, taken by the operator. */
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

/** The two accounts of a movement. Custody is minus the coins held there, so coins that leave it are a transfer to it. */
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

/** What speaks against a movement before anything is looked up, or null. */
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

/** Are the coins there? `balance` of an account in ledger units; what is brought in comes from outside. */
export function checkMovementFunds(
  movement: OperatorMovement,
  amount: bigint,
  balance: (code: AccountCode) => bigint,
): OperatorMovementRefusal | null {
  if (movement.kind === "brought_in") return null;
  if (-balance(`custody:${movement.network}`) < amount) return "custody_too_small";
  return movement.kind === "taken_out" && balance(movement.account) < amount ? "account_too_small" : null;
}
