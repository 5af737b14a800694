import { tokenText } from "#components/checkout/money-text.ts";
import type { WithdrawalState } from "#components/console/withdrawal-form.tsx";
import { NETWORKS } from "#lib/chains/networks.ts";
import type { Withdrawal } from "#lib/domain/withdrawals/types.ts";
import { getServices } from "#lib/web/services.ts";

/** The facts that a person checks before a withdrawal is created. `left` is the balance after it, in ledger units. */
export function reviewOf(
  withdrawal: Pick<Withdrawal, "env" | "network" | "token" | "toAddress" | "amount" | "fee">,
  left: bigint,
): WithdrawalState["review"] {
  const { env, network, token, toAddress, amount, fee } = withdrawal;
  const text = (value: bigint) => tokenText(value, token, "en");
  return {
    amount: text(amount),
    network: NETWORKS[network].name,
    to: getServices().networks.find(env, network)?.addresses.display(toAddress) ?? toAddress,
    fee: text(fee),
    total: text(amount + fee),
    left: text(left),
  };
}
