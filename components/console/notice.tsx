import { NoticeBox } from "#components/ui/notice-box.tsx";
import { NOTICES, type NoticeCode } from "./notices.ts";

const GOOD: readonly NoticeCode[] = [
  "settings_saved",
  "signed_out",
  "passkey_added",
  "password_changed",
  "invitation_mailed",
  "test_accepted",
  "delivery_sent",
  "withdrawal_created",
  "refund_created",
  "withdrawal_approved",
  "approval_stored",
  "withdrawal_declined",
  "deposit_credited",
  "book_added",
  "book_removed",
  "claim_made",
  "claim_mailed",
  "claim_revoked",
  "merchant_changed",
  "key_revoked",
  "endpoint_removed",
  "endpoint_saved",
  "member_removed",
  "form_saved",
  "form_closed",
  "device_revoked",
];

/** True for the notice of an action that was done. */
export const isGoodNotice = (code: NoticeCode): boolean => GOOD.includes(code);

/** The result of the last action. */
export function Notice({ code }: { code: NoticeCode | null }) {
  if (code === null) return null;
  const isGood = isGoodNotice(code);
  return (
    <NoticeBox tone={isGood ? "good" : "bad"} icon={isGood ? "check" : "alert"}>
      <span role={isGood ? "status" : "alert"}>{NOTICES[code]}</span>
    </NoticeBox>
  );
}
