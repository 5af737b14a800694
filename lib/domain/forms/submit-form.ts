import { createHash } from "node:crypto";
import { hashVisitor } from "#lib/domain/payment-links/create/allocate-address.ts";
import { hasFailed } from "#lib/domain/payment-links/rules.ts";
import type { PaymentLinkDeps } from "#lib/domain/payment-links/types.ts";
import { createVisitorLines } from "#lib/domain/payment-links/visitor-lines.ts";
import { countOfVisitor } from "#lib/domain/payment-links/visitor-queries.ts";
import { isAtVisitorLimit, VISITOR_WINDOW_MS } from "#lib/domain/payment-links/visitor-rules.ts";
import { type Db, oncePerDatabase, type Tx } from "#lib/platform/db/connection.ts";
import { inRounds } from "#lib/platform/db/in-rounds.ts";
import { findForm } from "./queries.ts";
import { type FormSale, findRepeat, sellForm } from "./sell-form.ts";
import { deleteVisitorsBefore, deleteVisitsBefore, lockVisitor } from "./store.ts";
import { readSubmission, type SubmissionProblem } from "./submission-rules.ts";
import { formVisits } from "./tables.ts";
import type { FormClosed, FormRow, SubmittedFields } from "./types.ts";

/** How long a repeated submission gets its link again. */
const VISIT_LIFETIME_MS = 24 * 3_600_000;
/** Old visits that one statement changes. */
const AT_ONCE = 1_000;

type SubmitRefusal = FormClosed | SubmissionProblem | "not_found" | "too_few_left" | "too_many_submissions";
type SubmitResult =
  | { readonly ok: true; readonly refid: string }
  | { readonly ok: false; readonly reason: SubmitRefusal };

const linesOf = oncePerDatabase(createVisitorLines);

interface SubmitRequest {
  readonly code: string;
  readonly given: SubmittedFields;
  /** The key that the page has for this visit. */
  readonly visit: string;
  /** IP address of the visitor. */
  readonly ip: string;
}

/**
 * Creates a payment link from a payer's answers. Stock and limit are taken in the transaction that creates it, while the
 * form is locked, so that nothing is sold twice. The same submission of the same visit gets the same link, unless that
 * one has failed. A visitor can create VISITOR_LIMIT links within VISITOR_WINDOW_MS, of all forms, and its site SITE_SHARE times as many.
 */
export async function submitForm(
  deps: PaymentLinkDeps,
  request: SubmitRequest,
  now: Date,
): Promise<SubmitResult> {
  const { code, given } = request;
  const found = await findForm(deps.db, code);
  if (found === null) return { ok: false, reason: "not_found" };
  const read = readSubmission(found.form, given);
  const visitor = hashVisitor(deps.settings, request.ip);
  const visit = createHash("sha256")
    .update(JSON.stringify([request.visit, given]))
    .digest();
  const isRepeat: FormSale<never>["isRepeat"] = ({ state }) => !hasFailed(state);
  const sale = { code, visit, visitor, isRepeat, device: null };
  const earlier = await findRepeat(deps.db, found.form, sale);
  if (earlier !== null) return { ok: true, refid: earlier };
  const overLimit = { ok: false, reason: "too_many_submissions" } as const;
  // Before any lock: a flood from one address waits for nothing and keeps no connection.
  if (await isOverLimit(deps.db, visitor, now)) return overLimit;
  if (!read.ok) return read;
  const submitted = linesOf(deps.db).run(visitor, code, () =>
    deps.db.transaction(async (tx) => {
      await lockVisitor(tx, visitor);
      const readAgain = async (form: FormRow) =>
        (await isOverLimit(tx, visitor, now)) ? overLimit : readSubmission(form, given);
      return sellForm(tx, deps, { ...sale, read: readAgain }, now);
    }),
  );
  return (await submitted) ?? overLimit;
}

async function isOverLimit(db: Db | Tx, visitor: Buffer, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - VISITOR_WINDOW_MS);
  return isAtVisitorLimit(await countOfVisitor(db, formVisits, visitor, since));
}

/** Forgets submissions that are older than a day, and the visitors of those that no longer count. False if `until` aborted before the last. */
export async function forgetVisits(db: Db, now: Date, until?: AbortSignal): Promise<boolean> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  const [visits, visitors] = [before(VISIT_LIFETIME_MS), before(VISITOR_WINDOW_MS)];
  const areDeleted = await inRounds(AT_ONCE, (limit) => deleteVisitsBefore(db, visits, limit), until);
  const areAnonymous = await inRounds(AT_ONCE, (limit) => deleteVisitorsBefore(db, visitors, limit), until);
  return areDeleted && areAnonymous;
}
