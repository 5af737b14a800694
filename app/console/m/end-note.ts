import { notFound, redirect } from "next/navigation";
import { keepDraft } from "#app/console/draft.ts";
import { endAt } from "#app/console/session.ts";
import type { NoticeCode } from "#components/console/notices.ts";
import type { Refusal } from "#lib/domain/authority/define-verb.ts";

type Missing = "link_not_found" | "customer_not_found";

/** Ends an action on notes at their page, with the reason why it was refused. `text`: the refused note, which stays in its field. */
export async function endNote(
  page: string,
  outcome: { readonly ok: true } | Refusal<Extract<NoticeCode, `${string}note${string}`> | Missing>,
  text?: string,
): Promise<never> {
  if (outcome.ok) redirect(page);
  const { reason } = outcome;
  if (reason === "link_not_found" || reason === "customer_not_found") notFound();
  if (text !== undefined) await keepDraft(page, { note: text });
  return endAt(page, { ok: false, reason });
}
