import { findLinkPair } from "#lib/chains/networks.ts";
import type { CreateWithdrawalRefusal } from "#lib/domain/withdrawals/create/create-withdrawal.ts";
import { MAX_REASON, readReason } from "#lib/domain/withdrawals/create/refund-rules.ts";
import type { WithdrawalRequest } from "#lib/domain/withdrawals/types.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { parseTypedAmount } from "#lib/platform/money/typed-amount.ts";

/** Why a withdrawal was refused. The message belongs to the field. */
export interface WithdrawalProblem {
  readonly field: "pair" | "to" | "amount" | "reason";
  readonly text: string;
}

const about = (field: WithdrawalProblem["field"], text: string): WithdrawalProblem => ({ field, text });
const NOT_NOW = about("pair", "This cannot be sent now. Ask the operator.");
const REASON_PROBLEM = about("reason", `Use plain text of one line, at most ${MAX_REASON} characters.`);
const NOT_OFFERED = about("pair", "Choose a token and a network.");

export const WITHDRAWAL_PROBLEMS: Readonly<Record<CreateWithdrawalRefusal, WithdrawalProblem>> = {
  merchant_not_found: NOT_NOW,
  merchant_disabled: NOT_NOW,
  network_off: NOT_NOW,
  network_only_receives: about("pair", "This network only receives. Choose another one."),
  token_not_on_network: NOT_OFFERED,
  sends_disabled_for_network: NOT_NOW,
  sends_disabled_for_token: NOT_NOW,
  send_amount_not_positive: about("amount", "Enter an amount above 0, like 1000.50."),
  send_amount_too_fine: about("amount", "The token has fewer decimals on this network."),
  send_amount_below_minimum: about("amount", "This is less than the smallest withdrawal."),
  send_amount_above_maximum: about("amount", "This is more than the largest withdrawal."),
  destination_malformed: about("to", "This is not an address of this network."),
  destination_is_ours: about("to", "This address belongs to this installation. Enter one of your own."),
  destination_unsafe: about("to", "Nobody can receive at this address. Enter one of a wallet."),
  above_transfer_limit: about("amount", "This is above your limit for one withdrawal."),
  above_day_limit: about("amount", "This is above what is left of your limit for 24 hours."),
  destination_not_in_book: about("to", "This address is not in your address book. An owner adds it there."),
  destination_too_new: about(
    "to",
    "This address was added less than 24 hours ago. Wait until it can be used.",
  ),
  insufficient_balance: about("amount", "The balance is smaller than the amount and its fee."),
  idempotency_key_reused: about("amount", "This form was used already. Open the page again."),
  payment_link_not_found: NOT_OFFERED,
  refund_not_paid_so: NOT_OFFERED,
  refund_no_excess: NOT_OFFERED,
  refund_above_credited: about("amount", "This is more than was paid and not refunded yet."),
  refunded_not_found: NOT_OFFERED,
  refunded_not_failed: NOT_OFFERED,
  refunded_already: NOT_OFFERED,
};

/** The withdrawal that a posted form asks for, or why it is refused. */
export function readWithdrawal(
  read: (name: string) => string,
): { ok: true; request: WithdrawalRequest } | { ok: false; problem: WithdrawalProblem } {
  const pair = findLinkPair(read("pair"));
  if (pair === null) return { ok: false, problem: NOT_OFFERED };
  const { ledgerDecimals } = TOKENS[pair.token];
  const parsed = parseTypedAmount(read("amount"), ledgerDecimals, 10n ** 30n);
  if (!parsed.ok) {
    const reason = parsed.reason === "malformed" ? "send_amount_not_positive" : "send_amount_too_fine";
    return { ok: false, problem: WITHDRAWAL_PROBLEMS[reason] };
  }
  const reason = readReason(read("reason"));
  if (reason === null) return { ok: false, problem: REASON_PROBLEM };
  const key = read("key");
  const idempotencyKey = /^[0-9a-f]{32}$/.test(key) ? key : null;
  const { network, token } = pair;
  const paymentLink = read("link") === "" ? null : read("link");
  const to = read("to").trim();
  return {
    ok: true,
    request: {
      network,
      token,
      to,
      amount: parsed.units,
      refundOf: null,
      paymentLink,
      reason: reason === "" ? null : reason,
      idempotencyKey,
    },
  };
}
