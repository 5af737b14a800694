import type { ContentfulStatusCode } from "hono/utils/http-status";
import { DEFAULT_PAIRS } from "#lib/chains/networks.ts";
import type { createForm, updateForm } from "#lib/domain/forms/manage-forms.ts";
import { FORM_QUESTIONS } from "#lib/domain/forms/question-rules.ts";
import {
  MAX_DESCRIPTION,
  MAX_FIELDS,
  MAX_LABEL,
  MAX_QUANTITY,
  MAX_STOCK,
  MAX_TITLE,
} from "#lib/domain/forms/rules.ts";
import type { buyToken } from "#lib/domain/ledger/buy-token.ts";
import type { createPaymentLink } from "#lib/domain/payment-links/create/create-payment-link.ts";
import {
  type ItemsProblem,
  MAX_ITEM_NAME,
  MAX_ITEM_QUANTITY,
  MAX_ITEMS,
  MAX_DESCRIPTION as MAX_LINK_DESCRIPTION,
} from "#lib/domain/payment-links/order-rules.ts";
import type { cancelLink } from "#lib/domain/payment-links/settle/cancel-link.ts";
import { type PlayRefusal, SCENARIOS } from "#lib/domain/sandbox/types.ts";
import { LINK_STATES } from "#lib/domain/types.ts";
import type { generateWallet } from "#lib/domain/wallets/generate-wallet.ts";
import { MAX_NOTE } from "#lib/domain/withdrawals/claims/rules.ts";

export interface ErrorText {
  /** The `code` of the answer, if it is not the reason. Reasons that differ for the operator alone have one code. */
  readonly code?: string;
  readonly status: ContentfulStatusCode;
  /** `{name}` is replaced by the name of the field or path parameter, or by several names. */
  readonly message: string;
  /** The `status` of the envelope. It is "bad" for one text of the interface document only. */
  readonly envelope?: "fail" | "bad";
  /** Text of HINT_HEADER, in ASCII. */
  readonly hint?: string;
}

type AnyUseCase = (...given: never[]) => Promise<{ readonly ok: boolean }>;
/** The failure reasons of a use case. */
type RefusalOf<UseCase extends AnyUseCase> = Extract<
  Awaited<ReturnType<UseCase>>,
  { readonly ok: false; readonly reason: string }
>["reason"];

/** Every reason of a use case that the API calls. A reason without a row below does not compile. */
type UseCaseReason =
  | RefusalOf<typeof createForm>
  | RefusalOf<typeof updateForm>
  | RefusalOf<typeof createPaymentLink>
  | RefusalOf<typeof cancelLink>
  | RefusalOf<typeof generateWallet>
  | RefusalOf<typeof buyToken>
  | ItemsProblem
  | PlayRefusal;

const error = (status: ContentfulStatusCode, message: string): ErrorText => ({ status, message });

/** "a, b or c". */
const joinWithOr = (values: readonly string[]): string =>
  `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;

const PAIR_NAMES = DEFAULT_PAIRS.map(({ network, token }) => `${network}/${token.toUpperCase()}`);

/** The only table from reason to HTTP status and literal text. */
export const ERRORS = {
  bad_request: error(400, "bad request"),
  not_found: error(404, "not found"),
  method_not_allowed: error(405, "method not allowed"),
  internal_error: error(500, "internal error"),
  service_unavailable: error(503, "service unavailable"),

  invalid_api_key: error(401, "invalid api key"),
  merchant_disabled: error(403, "Invalid merchant"),
  merchant_removed: error(404, "Merchant does not exist"),
  key_scope: error(403, "api key not allowed for this operation"),
  ip_not_allowed: error(403, "ip address not whitelisted"),
  ip_list_required: error(403, "live keys do this only while the merchant has an ip list"),
  live_key_required: error(403, "test keys cannot change what live and test share"),
  too_many_requests: error(429, "too many requests"),

  body_too_large: error(413, "request body too large"),
  unsupported_content_type: error(415, "unsupported content type"),
  invalid_json: error(400, "invalid json"),
  invalid_form: error(400, "invalid form body"),
  duplicate_field: error(400, "duplicate field ({name})"),
  idempotency_key_missing: error(400, "idempotency key is required"),
  idempotency_key_too_long: error(400, "idempotency key is too long"),
  idempotency_key_reused: error(409, "idempotency key already used with a different request"),
  idempotency_key_in_progress: error(409, "request with this idempotency key is still in progress"),

  /** The text of the interface document, which names one field. */
  field_missing: error(400, "({name}) not found in request body"),
  /** The same where the document has no text: it names every missing field. */
  fields_missing: error(400, "({name}) not found in request body"),
  limit_out_of_range: error(400, "limit must be between 1 and 500"),
  invalid_cursor: error(400, "invalid cursor"),
  path_value_missing: error(400, "{name} not found in params"),
  not_a_string: error(400, "({name}) must be a string"),
  not_a_number: error(400, "({name}) must be a number"),
  unsupported_character: error(400, "({name}) contains an unsupported character"),
  field_too_long: error(400, "({name}) is too long"),
  not_a_flag: error(400, "({name}) must be 0 or 1"),

  customer_not_object: error(400, "customer_details must be a json object"),
  customer_email_malformed: error(400, "({name}) of customer_details must be an e-mail address"),
  customer_field_missing: error(400, "({name}) not found in request body for customer_details"),
  amount_not_positive: error(400, "amount must be greater than 0"),
  amount_too_many_decimals: error(400, "amount has too many decimals"),
  amount_too_large: error(400, "amount is too large"),
  payment_reference_malformed: error(400, "payment_reference must be 1 to 20 letters and digits"),
  url_not_https: error(400, "{name} must be an https url"),
  expires_at_not_future: error(400, "expires_at must be a future iso 8601 date-time"),
  expires_at_too_far: error(400, "expires_at cannot be more than one year ahead"),
  metadata_not_json: error(400, "metadata must be json"),
  metadata_too_large: error(400, "metadata is too large"),
  description_malformed: error(
    400,
    `description must be one line of plain text of at most ${MAX_LINK_DESCRIPTION} characters`,
  ),
  items_malformed: error(
    400,
    `items must be a list of at most ${MAX_ITEMS} objects with name (1 to ${MAX_ITEM_NAME} characters), quantity (1 to ${MAX_ITEM_QUANTITY}) and amount`,
  ),
  items_amount_malformed: error(
    400,
    "amounts of items must be above 0, at most 1e12, with at most the currency's decimals",
  ),
  items_sum_differs: error(400, "amounts of items must add up to amount"),
  currency_not_supported: error(400, "amount_currency not supported"),
  wallets_not_array: error(400, "wallets must be an array"),
  wallet_pair_unsupported: error(400, `unsupported wallet pair: use ${joinWithOr(PAIR_NAMES)}`),
  pairs_malformed: error(400, "pairs must be an array of different pairs of network and token"),
  pair_not_accepted: error(422, "payment pair not enabled for merchant"),
  wallet_network_repeated: error(400, "only one wallet per network"),
  amount_below_minimum: error(422, "amount is below what any network can receive"),
  network_unavailable: error(422, "wallet generation not enabled for network"),
  link_not_found: error(404, "refid details not found"),
  link_not_cancelable: error(409, "payment link cannot be canceled: its state is {name}"),

  not_a_list: error(400, "({name}) must be a list of texts"),
  form_not_found: error(404, "form not found"),
  form_archived: error(422, "form is archived"),
  form_title_malformed: error(400, `title must be one line of 1 to ${MAX_TITLE} characters`),
  form_description_malformed: error(
    400,
    `description must be plain text of at most ${MAX_DESCRIPTION} characters`,
  ),
  form_currency_unknown: error(400, "amount_currency not supported"),
  form_amount_malformed: error(
    400,
    "amounts must be above 0, at most 1e12, with at most the currency's decimals",
  ),
  form_amounts_contradict: error(
    400,
    "amount excludes minimum_amount, maximum_amount and suggested_amounts; suggestions must be different and between them",
  ),
  form_ask_unknown: error(400, `ask must be a list of ${joinWithOr(FORM_QUESTIONS)}`),
  form_fields_malformed: error(
    400,
    `fields must be at most ${MAX_FIELDS} different lines of 1 to ${MAX_LABEL} characters`,
  ),
  form_quantity_out_of_range: error(400, `max_quantity must be from 1 to ${MAX_QUANTITY}`),
  form_stock_out_of_range: error(400, `stock must be from 0 to ${MAX_STOCK}`),
  form_reference_malformed: error(400, "payment_reference must be 1 to 20 letters and digits"),
  form_url_not_https: error(400, "success_url and cancel_url must be https urls"),
  form_expires_at_past: error(400, "expires_at must be a future iso 8601 date-time"),
  form_expires_at_far: error(400, "expires_at must be before 2100"),
  form_clear_unknown: error(400, "clear must be a list of fields that a form can be without"),

  deposit_not_found: error(404, "tx_hash details not found"),
  withdrawal_not_found: error(404, "refid details not found"),
  withdrawal_not_cancelable: error(
    409,
    "withdrawal cannot be canceled: a transaction was sent, or it has ended",
  ),
  send_amount_not_positive: error(400, "amount must be greater than 0"),
  send_amount_too_fine: error(400, "amount has too many decimals"),
  send_amount_below_minimum: error(422, "amount is below the smallest withdrawal"),
  send_amount_above_maximum: error(422, "amount is above the largest withdrawal"),
  network_off: error(422, "withdrawals not enabled for network"),
  sends_disabled_for_network: error(422, "withdrawals not enabled for network"),
  sends_disabled_for_token: error(422, "withdrawals not enabled for token"),
  token_not_on_network: error(422, "token not available on network"),
  destination_malformed: error(400, "to must be an address of the network"),
  destination_is_ours: error(422, "to must not be an address of this service"),
  destination_unsafe: error(422, "to must not be a token contract or an address without an owner"),
  insufficient_balance: error(422, "insufficient balance"),
  refund_not_paid_so: error(
    422,
    "nothing is credited for this payment link on this network and in this token",
  ),
  above_transfer_limit: error(422, "amount is above the merchant's limit for one withdrawal"),
  above_day_limit: error(422, "amount is above what is left of the merchant's limit for 24 hours"),
  destination_not_in_book: error(422, "to is not in the merchant's address book"),
  destination_too_new: error(422, "to was added to the merchant's address book less than 24 hours ago"),
  refund_above_credited: error(422, "amount is above what was credited and not refunded yet"),
  refund_no_excess: error(422, "nothing that was paid too much is left on this network and in this token"),
  mail_not_possible: error(422, "mail is off, or the customer's address cannot receive this mail now"),
  note_malformed: error(400, `note must be plain text of at most ${MAX_NOTE} characters`),
  claim_not_found: error(404, "refund claim not found"),
  claim_not_open: error(409, "refund claim was used or revoked, or has expired"),
  include_unknown: error(400, "include must be pending, dropped or both"),
  network_not_supported: error(400, "network not supported"),
  transaction_not_found: error(404, "Transaction not found"),
  transaction_pending: error(404, "transaction not found or still pending"),
  transaction_skipped: error(422, "transaction may have been skipped"),
  transaction_failed: error(422, "transaction failed"),
  action_failed: error(502, "Action Failed"),
  network_not_available: error(503, "network not available"),
  token_unknown: error(400, "invalid token symbol"),
  email_not_merchants: error(403, "Invalid merchant"),
  direction_unknown: error(400, "direction must be credit or debit"),
  status_unknown: error(400, "status must be 0 or 1"),
  delivery_status_unknown: error(400, "status must be due, delivered or failed"),
  webhook_id_malformed: error(400, "webhook_id must be evt_ and a number"),
  timestamp_malformed: error(400, "timestamp must be YYYY-MM-DD or YYYY-MM-DD HH:MM:SS"),
  network_unknown: error(400, "unsupported network"),
  generation_disabled: error(422, "wallet generation not enabled for network"),
  generation_failed: error(502, "wallet generation failed"),
  pool_empty: { ...error(502, "wallet generation failed"), code: "generation_failed" },
  address_limit_reached: {
    ...error(422, "wallet generation failed"),
    hint: "Too many addresses have no payment yet. Use earlier ones, or ask the operator for a higher limit.",
  },
  wallet_customer_field_missing: error(400, "({name}) not found in request body for customer"),
  wallet_customer_email_malformed: {
    ...error(400, "({name}) not found in request body for customer"),
    hint: "The e-mail address of the customer is not an e-mail address.",
  },
  buys_disabled: error(422, "buys not currently enabled for token"),
  usdt_balance_too_small: error(422, "insufficient USDT balance"),
  fee_not_below_amount: error(422, "fee cannot be greater than or equal to amount"),
  amount_below_trade_minimum: error(422, "amount cannot be less than {name}"),
  amount_above_trade_maximum: error(422, "amount cannot be more than {name}"),
  desk_limit_reached: { ...error(422, "buys not currently enabled for token"), code: "buys_disabled" },
  usdt_off_dollar: { ...error(422, "buys not currently enabled for token"), code: "buys_disabled" },
  token_data_unavailable: error(503, "unable to get token data"),
  link_state_unknown: error(400, `status must be ${joinWithOr(LINK_STATES)}`),
  scenario_unknown: error(400, `scenario must be ${joinWithOr(SCENARIOS)}`),
  sandbox_live_key: error(403, "the sandbox takes test keys only"),
  link_takes_no_payment: error(422, "payment link takes no payment of this scenario any more"),
  no_wallet_picked: error(422, "payment link has no network yet: name one"),
  pair_not_offered: error(422, "payment link cannot be paid with this network and token"),
  no_development_chain: error(422, "network is not a development chain"),
  scenario_not_playable: error(422, "scenario does not exist on this network"),
  amount_too_small_to_split: error(422, "amount is too small to be paid in part"),
  network_not_watched: error(503, "no worker watches the network"),
  sandbox_busy: error(503, "the sandbox is busy, try again"),
  transaction_hash_missing: { ...error(400, "transaction_hash is required"), envelope: "bad" },
  endpoint_not_found: error(404, "webhook endpoint not found"),
  endpoint_without_url: error(422, "webhook endpoint has no url"),
  secret_unreadable: error(503, "webhook secret cannot be read"),
  too_many_endpoints: error(422, "a merchant has at most 16 webhook endpoints in an environment"),
  invalid_webhookUrl: {
    ...error(400, "url must be an http or https url that the internet can reach, without a password"),
    code: "webhook_url_malformed",
  },
  event_type_unknown: error(400, "events must be a list of event types"),
  key_not_found: error(404, "key not found"),
  key_scope_unknown: error(400, "scope must be read, payment-links, withdrawals, webhooks or settings"),
  key_is_full: error(403, "only the key itself and the console revoke a key with scope full"),
  too_many_keys: error(422, "a merchant has at most 50 active keys in an environment"),
  entry_not_found: { ...error(404, "ip entry not found"), code: "ip_entry_not_found" },
  invalid_address: {
    ...error(400, "ip_address must be an ip address or a cidr range"),
    code: "ip_address_malformed",
  },
  ip_name_malformed: error(400, "ip_name must have 1 to 100 characters"),
  too_many_ips: error(422, "a merchant has at most 100 ip entries"),
  would_lock_out: error(422, "without this entry the key could not be used from this address"),
  setting_malformed: error(400, "({name}) has a value that is not allowed"),
  clear_unknown: error(400, "clear must be a list of fields that a merchant can be without"),
  nothing_to_change: error(400, "no field to change was given"),
  picture_malformed: error(400, "logo must be a png, jpeg or webp of 32 to 4096 pixels, in base64"),
  picture_busy: error(503, "another picture is being read, try again"),
  webhook_events_not_found: error(500, "no webhook events found for the provided transaction"),
} satisfies Record<UseCaseReason, ErrorText> & Record<string, ErrorText>;

export type ApiReason = keyof typeof ERRORS;

/** The page with every code. A URL of the same host: the service does not know by which name a caller reaches it. */
const ERROR_PAGE = "/v1/docs/errors";

/** The stable name of an error, and where it is explained. */
export function codeOf(reason: ApiReason): { readonly code: string; readonly doc_url: string } {
  const { code = reason }: ErrorText = ERRORS[reason];
  return { code, doc_url: `${ERROR_PAGE}#${code}` };
}

/** An error as the pages of the documentation list it. */
export interface ErrorCode extends ErrorText {
  readonly code: string;
}

/** Every code once, by HTTP status and in the order of the table. */
export function listErrorCodes(): readonly ErrorCode[] {
  const byCode = new Map<string, ErrorCode>();
  for (const [reason, text] of Object.entries<ErrorText>(ERRORS)) {
    const code = text.code ?? reason;
    // The text of the reason that has the code's name comes first.
    if (!byCode.has(code) || code === reason) byCode.set(code, { ...text, code });
  }
  return [...byCode.values()].toSorted((a, b) => a.status - b.status);
}

/** The response header that says what the fixed text of an error does not say. */
export const HINT_HEADER = "x-paylink-hint";

/** A failure result of an endpoint. `name`: the fields or the path parameter it refers to. */
export interface ApiFailure {
  readonly ok: false;
  readonly reason: ApiReason;
  readonly name?: string;
  /** Text of HINT_HEADER, in ASCII. */
  readonly hint?: string | undefined;
}

export function failure(reason: ApiReason, name?: string): ApiFailure {
  return name === undefined ? { ok: false, reason } : { ok: false, reason, name };
}

export function isApiReason(text: string): text is ApiReason {
  return Object.hasOwn(ERRORS, text);
}
