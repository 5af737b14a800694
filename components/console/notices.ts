/** What a page of the console says after an action, by the code in its URL. */
export const NOTICES = {
  wrong_sign_in:
    "The e-mail address, the password or the code is wrong, or there were too many tries. After ten wrong tries, wait 15 minutes.",
  too_many_tries: "Too many tries from this connection. Wait a few minutes, then try again.",
  busy: "Many people are signing in. Try again in a few seconds.",
  wrong_passkey: "This passkey was not accepted. Try again, or use another way.",
  no_passkeys: "This browser has no passkeys here. Use another way, or another browser.",
  wrong_code: "The code is wrong or was used before. Wait for the next one.",
  signed_out: "You are signed out.",
  invitation_ended: "This invitation was used, withdrawn, or is older than three days. Ask for a new one.",
  name_malformed: "Enter your name, with at most 100 characters.",
  password_too_short: "The password needs at least 12 characters.",
  passkey_refused: "The passkey could not be stored. Try again, or use a password.",
  sign_in_first: "You have signed up already. Sign in, then open the invitation again.",
  wrong_person: "This invitation is for another e-mail address. Sign out, then open it again.",
  invitation_email_malformed: "This is not an e-mail address.",
  already_a_member: "This person works here already.",
  too_many_members:
    "There are as many members and open invitations as there can be. Withdraw an invitation first.",
  role_unknown: "Choose a role.",
  member_not_found: "This person does not work here any more.",
  last_owner: "A merchant needs an owner. Make somebody else an owner first.",
  invitation_not_found: "This invitation was used or withdrawn already.",
  link_not_cancelable: "Money was seen for this payment, or it has ended. It can no longer be ended here.",
  passkey_last: "This is your only way to sign in. Add another passkey first.",
  passkey_added: "The passkey was added.",
  amount_malformed: "Enter an amount above 0, with a point before the decimals.",
  reference_malformed: "The reference must have 1 to 20 letters and digits.",
  customer_malformed: "Enter the customer's e-mail address, and names of at most 100 characters.",
  too_many_keys: "There are 50 active keys. Revoke one first.",
  key_not_found: "This key was revoked already.",
  scope_unknown: "Choose what the key may do.",
  invalid_webhookUrl: "Enter an http or https URL that the internet can reach, without a password.",
  too_many_endpoints: "There are 16 endpoints. Remove one first.",
  endpoint_not_found: "This endpoint was removed already.",
  endpoint_without_url: "This endpoint has no URL. Set one first.",
  secret_unreadable: "The secret cannot be read. Ask the operator: SECRET_KEY has changed.",
  test_accepted: "The endpoint accepted the test request.",
  test_refused: "The endpoint did not accept the test request.",
  invalid_address: "This is not an address or a CIDR range.",
  ip_name_malformed: "Enter a name of at most 100 characters.",
  too_many_ips: "There are 100 entries. Remove one first.",
  entry_not_found: "This entry was removed already.",
  delivery_sent: "The event is being sent again.",
  webhook_event_not_found: "This event is no longer kept.",
  no_endpoint_takes_it: "No enabled endpoint accepts this event.",
  link_refused: "This amount cannot be asked for now. Try another amount or currency.",
} as const;

export type NoticeCode = keyof typeof NOTICES;

export function readNotice(code: string | string[] | undefined): NoticeCode | null {
  return typeof code === "string" && code in NOTICES ? (code as NoticeCode) : null;
}
