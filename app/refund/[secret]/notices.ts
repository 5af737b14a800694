import type { RefundNoticeCode } from "#components/checkout/texts.ts";
import type { AnswerClaimRefusal } from "#lib/domain/withdrawals/claims/answer-claim.ts";

/** Longer than every address. */
export const MAX_ADDRESS = 200;

/** What the page says of a refusal. The merchant's side of it is no concern of the payer. */
export function noticeOf(reason: AnswerClaimRefusal): RefundNoticeCode {
  switch (reason) {
    case "destination_malformed":
      return "malformed";
    case "destination_is_ours":
    case "destination_unsafe":
      return "unusable";
    default:
      return "not_now";
  }
}
