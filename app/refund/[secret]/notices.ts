import type { RefundNoticeCode } from "#components/checkout/notice-codes.ts";
import type { AnswerClaimRefusal } from "#lib/domain/withdrawals/claims/answer-claim.ts";

/** Longer than every address. */
export const MAX_ADDRESS = 200;

/** The text for a refusal. The payer does not see the merchant's side of it. */
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
