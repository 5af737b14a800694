import { z } from "@hono/zod-openapi";
import { findLink } from "#lib/domain/payment-links/queries.ts";
import { createClaim } from "#lib/domain/withdrawals/claims/create-claim.ts";
import { type ClaimRow, listClaims } from "#lib/domain/withdrawals/claims/queries.ts";
import { revokeClaim } from "#lib/domain/withdrawals/claims/revoke-claim.ts";
import { claimState, MAX_NOTE, readNote } from "#lib/domain/withdrawals/claims/rules.ts";
import { CLAIM_STATES } from "#lib/domain/withdrawals/claims/types.ts";
import type { RefundAmount } from "#lib/domain/withdrawals/create/refund-rules.ts";
import { type JsonValue, toJsonNumber } from "#lib/platform/json-text.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { type ApiReason, failure } from "../errors.ts";
import { flag, flagField, readRowId, timestamp } from "../fields/common.ts";
import { parseUnits, refundAmountField } from "../fields/money.ts";
import { authorityOf, perform } from "../perform.ts";
import { ask, askedShape, FIELD_REFUSALS, fields, keptKey, REFUSALS } from "./withdrawals.ts";

const tag = "Withdrawals";
/** More claims of one link than people make. */
const LISTED = 100;

const claimShape = {
  claim: z.number().int().openapi({ description: "Record number.", example: 7 }),
  state: z.enum(CLAIM_STATES).openapi({
    description: "open: the customer can enter an address. used: it became a withdrawal.",
    example: "open",
  }),
  network: z.string().openapi({ example: "bep20" }),
  token: z.string().openapi({ description: "Symbol, lower case.", example: "usdt" }),
  amount: z.number().openapi({ description: "What arrives, in whole tokens.", example: 12.5 }),
  note: z.string().nullable().openapi({ description: "What the customer reads.", example: null }),
  mailed: flag("1: a mail brings the URL to the customer."),
  withdrawal: z
    .string()
    .nullable()
    .openapi({ description: "Send reference of the withdrawal that it became.", example: null }),
  problem: z
    .string()
    .nullable()
    .openapi({ description: "Why the customer's last address became no withdrawal.", example: null }),
  expires_at: timestamp,
  created_at: timestamp,
};
const claimData = z.object(claimShape).openapi("RefundClaim");
/** The claim, or the withdrawal: an object with the members of both, because generators of clients cannot read a choice. */
const refundData = z
  .object({
    ...z.object({ ...askedShape, ...claimShape }).partial().shape,
    network: claimShape.network,
    token: claimShape.token,
    created_at: timestamp,
    refund_url: z
      .string()
      .nullable()
      .optional()
      .openapi({
        description:
          "Of a claim. The customer enters the address here, and anyone who has the URL can. Shown here only; null once the " +
          "claim was used or revoked, and for the same request with another key than the one that created it.",
      }),
  })
  .openapi("Refund", {
    description:
      "With `to` the members of a withdrawal, without `to` those of a refund claim and `refund_url`.",
    example: {
      claim: 7,
      state: "open",
      network: "bep20",
      token: "usdt",
      amount: 12.5,
      note: null,
      mailed: 0,
      withdrawal: null,
      problem: null,
      expires_at: "2030-03-01T12:00:00.000Z",
      created_at: "2030-01-30T12:00:00.000Z",
      refund_url: "https://pay.example.com/refund/0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    },
  });

const claimToJson = (claim: ClaimRow, now: Date) => ({
  claim: claim.id,
  state: claimState(claim, now),
  network: claim.network,
  token: claim.token,
  amount: toJsonNumber(claim.amount, TOKENS[claim.token].ledgerDecimals),
  note: claim.note,
  mailed: claim.mailed ? 1 : 0,
  withdrawal: claim.withdrawal,
  problem: claim.problem,
  expires_at: claim.expiresAt,
  created_at: claim.createdAt,
});

const CLAIM_REFUSALS = [
  "mail_not_possible",
  "note_malformed",
  "not_a_flag",
] as const satisfies readonly ApiReason[];

export const refundPaymentLinkEndpoint = endpoint(
  {
    method: "post",
    path: "/payment-links/:refid/refunds",
    operationId: "refundPaymentLink",
    tag,
    summary: "Refund a payment",
    description:
      "In the token and on the network of the payment: at most what was credited for the link, and neither refunded yet nor " +
      "promised by an open claim. With `to`: a withdrawal to this address of the customer. Do not take the one that paid: it may " +
      "belong to an exchange. Without `to`: a refund claim, a page on which the customer enters the address within 30 days. The " +
      "withdrawal, which needs the balance, is created then. `Idempotency-Key` is required.",
    ...authorityOf("refund_claim.create"),
    body: () =>
      z.object({
        ...fields,
        amount: refundAmountField.openapi({
          description: "Whole tokens that arrive, `all` that is left, or `excess`: what was paid too much.",
          example: "12.5",
        }),
        to: fields.to.optional(),
        note: z
          .string()
          .optional()
          .openapi({ description: `Of a claim: what the customer reads, at most ${MAX_NOTE} characters.` }),
        mail: flagField("Of a claim. 1: mail the URL to the customer of the payment link.").optional(),
      }),
    idempotent: "required",
    notFound: "link_not_found",
    message: "refund created successfully",
    data: refundData,
    errors: [
      ...(["link_not_found", ...FIELD_REFUSALS, ...REFUSALS, ...CLAIM_REFUSALS] as const),
      ...(["refund_not_paid_so", "refund_above_credited", "refund_no_excess"] as const),
    ],
  },
  async (call) => {
    const { caller, db, input, idempotencyKey, api } = call;
    const paymentLink = call.path.refid;
    const owner = { merchantId: caller.merchant.id, env: caller.env };
    if ((await findLink(db, paymentLink, owner)) === null) return failure("link_not_found");
    const { network, token, to, mail = false } = input;
    const amount = readAmount(input.amount, TOKENS[token].ledgerDecimals);
    if (!amount.ok) return failure(amount.reason);
    if (to !== undefined) return ask(call, { network, token, to, amount: amount.value, paymentLink });
    const note = readNote(input.note ?? "");
    if (note === null) return failure("note_malformed");
    const request = {
      networks: api.networks,
      secrets: api.secrets,
      settings: api.settings,
      paymentLink,
      network,
      token,
      amount: amount.value,
      note: note === "" ? null : note,
      mail,
      idempotencyKey: keptKey(idempotencyKey),
    };
    const made = await perform(createClaim, call, request, {
      payment_link_not_found: "link_not_found",
      merchant_not_found: "internal_error",
      network_only_receives: "sends_disabled_for_network",
    });
    if (!made.ok) return made;
    const data = { ...claimToJson(made.claim, call.now), refund_url: made.url };
    return { ...success(data as JsonValue), isSecret: true };
  },
);

function readAmount(
  text: string,
  decimals: number,
): { ok: true; value: RefundAmount } | { ok: false; reason: ApiReason } {
  if (text === "all" || text === "excess") return { ok: true, value: text };
  const parsed = parseUnits(text, decimals);
  return parsed.ok ? { ok: true, value: parsed.units } : parsed;
}

export const listRefundClaimsEndpoint = endpoint(
  {
    method: "get",
    path: "/payment-links/:refid/refund-claims",
    operationId: "listRefundClaims",
    tag,
    summary: "List the refund claims of a payment",
    description: `The newest ${LISTED}. Never their URLs.`,
    auth: ["withdrawals", "read"],
    action: "money.view",
    notFound: "link_not_found",
    message: "refund claims retrieved successfully",
    data: z.array(claimData),
    errors: ["link_not_found"],
  },
  async ({ api, caller, path, now }) => {
    const { db } = api.database;
    const found = await findLink(db, path.refid, { merchantId: caller.merchant.id, env: caller.env });
    if (found === null) return failure("link_not_found");
    const claims = await listClaims(db, found.link.id, LISTED);
    return success(claims.map((claim) => claimToJson(claim, now) as JsonValue));
  },
);

export const revokeRefundClaimEndpoint = endpoint(
  {
    method: "delete",
    path: "/payment-links/:refid/refund-claims/:claim",
    operationId: "revokeRefundClaim",
    tag,
    summary: "Revoke a refund claim",
    description: "Only while it is open. Its page then says so, and its amount can be refunded again.",
    ...authorityOf("refund_claim.revoke"),
    pathTexts: { claim: { description: "Number of the claim.", example: "7" } },
    notFound: "claim_not_found",
    message: "refund claim revoked successfully",
    data: claimData,
    errors: ["claim_not_found", "claim_not_open"],
  },
  async ({ path, ...call }) => {
    const given = { id: readRowId(path.claim), paymentLink: path.refid };
    const revoked = await perform(revokeClaim, call, given, {});
    return revoked.ok ? success(claimToJson(revoked.claim, call.now) as JsonValue) : revoked;
  },
);
