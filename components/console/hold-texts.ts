/** Why the signer does not pay a withdrawal, in words. */
export interface HoldText {
  /** A few words. */
  readonly short: string;
  /** The explanation for the operator, with their next step. */
  readonly operator: string;
  /** The explanation for the merchant. */
  readonly merchant: string;
}

const LOOKED_AT = "The operator must look at it before it can be sent.";
const LATER = "As much as can be sent in 24 hours was sent. It is sent later, by itself.";

/** By the reason that the signer gives. */
export const HOLD_TEXTS: Readonly<Record<string, HoldText>> = {
  approvals_missing: {
    short: "waits for approvers",
    operator: "It is above what the policy pays without approval. Approvers of the policy must sign it.",
    merchant:
      "It is above what is sent without approval. The people who approve large withdrawals must sign it.",
  },
  hot_balance_too_low: {
    short: "hot balance too low",
    operator: "The hot account lacks tokens, or coins for the fee. Fill it.",
    merchant: "The account that pays is being filled. It is sent after that, by itself.",
  },
  network_fee_too_high: {
    short: "network fee too high",
    operator: "The network asks for a higher fee than the policy allows.",
    merchant: "The network's fee is very high now. It is sent when the fee has fallen, by itself.",
  },
  gas_too_high: {
    short: "needs too much gas",
    operator:
      "The receiver is a contract that needs more gas than the policy allows (max_gas). Ask for another address, or pay it by hand.",
    merchant: "Receiving it costs unusually much at this address. The operator must look at it.",
  },
  destination_failed: {
    short: "failed there before",
    operator:
      "A payment to this address failed in its block and cost its fee. It is tried again a day later. Ask for another address, or decline it.",
    merchant: "A payment to this address has failed. The operator must look at it.",
  },
  above_fee_per_day: {
    short: "fees of a day",
    operator: "The fees of 24 hours would exceed what the policy allows (fee_per_day).",
    merchant: LATER,
  },
  above_per_day: {
    short: "limit of a day",
    operator: "It would exceed what the policy allows of this token within 24 hours.",
    merchant: LATER,
  },
  above_per_merchant_per_day: {
    short: "merchant's limit of a day",
    operator: "It would exceed what the policy allows for this merchant within 24 hours.",
    merchant: LATER,
  },
  above_per_transfer: {
    short: "above the limit of one payment",
    operator:
      "The policy does not allow so much in one payment. Decline it, pay it by hand, or change the policy.",
    merchant: LOOKED_AT,
  },
  no_node_that_pays: {
    short: "no node that pays",
    operator:
      "The signer has no node here that it can pay through: its host names none, or only Electrum servers. Set the URL of a node there, and start the signer again.",
    merchant: LOOKED_AT,
  },
  merchant_disabled: {
    short: "merchant disabled",
    operator: "The merchant is disabled. It is sent after you enable the merchant.",
    merchant: "This merchant is disabled. It is sent after the operator enables the merchant.",
  },
  not_in_policy: {
    short: "not in the policy",
    operator:
      "The policy has no limits for this token on this network. Pay it by hand, or change the policy.",
    merchant: LOOKED_AT,
  },
  destination_not_allowed: {
    short: "destination not allowed",
    operator: "The policy pays to other addresses alone.",
    merchant: LOOKED_AT,
  },
  destination_unsafe: {
    short: "unsafe destination",
    operator:
      "Nobody could use what is sent there: it is our own account, a burn address, or the token's own contract.",
    merchant: "What is sent to this address could be lost. The operator must look at it.",
  },
  would_fail: {
    short: "would fail",
    operator: "A node says that the transfer would fail now.",
    merchant: "The network would refuse this transfer now. The operator must look at it.",
  },
  amount_not_exact: {
    short: "too many decimals",
    operator: "The token has fewer decimals on this network.",
    merchant: LOOKED_AT,
  },
  below_minimum: {
    short: "too little for the network",
    operator:
      "The network does not let an account hold so little. Decline it, or send something there by hand first.",
    merchant: "The network does not let an account hold so little. The operator must look at it.",
  },
  nonce_not_mine: {
    short: "account used elsewhere",
    operator: "Something else sends from the hot account. Stop that, then look at the signer's log.",
    merchant: LOOKED_AT,
  },
  changed: {
    short: "changed meanwhile",
    operator: "It was changed or ended while it was signed. The signer tries it again.",
    merchant: LOOKED_AT,
  },
  paid_before: {
    short: "alarm: may be paid already",
    operator:
      "An alarm: the signer has paid the same amount to this address, and the database lacks that withdrawal, as after a restore from a backup. If it is due again, approvers of the policy sign it. Else decline it.",
    merchant: LOOKED_AT,
  },
  signed_otherwise: {
    short: "alarm: signed otherwise",
    operator:
      "An alarm: the signer has signed another payment for it. Somebody changed it in the database, or it was ended and is pending again.",
    merchant: LOOKED_AT,
  },
};

const OTHER: HoldText = {
  short: "another reason",
  operator: "The signer's log says why.",
  merchant: LOOKED_AT,
};

/** The words for a reason. It may be any text of the database. */
export const holdText = (reason: string): HoldText =>
  Object.hasOwn(HOLD_TEXTS, reason) ? (HOLD_TEXTS[reason] ?? OTHER) : OTHER;
