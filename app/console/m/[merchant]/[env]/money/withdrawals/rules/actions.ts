"use server";

import { redirect } from "next/navigation";
import { readId } from "#app/console/read-id.ts";
import { fieldsOf, perform, readRequest, requireMay } from "#app/console/session.ts";
import type { FieldProblem } from "#components/console/field-problem.tsx";
import type { NoticeCode } from "#components/console/notices.ts";
import {
  addBookAddress,
  removeBookAddress,
  setAddressBook,
  setWithdrawalLimits,
} from "#lib/domain/withdrawals/limits/limit-withdrawals.ts";
import { getServices } from "#lib/web/services.ts";
import { readLimits, ruleProblem } from "./read-rules.ts";

/** A posted form, and the way back to its page with a notice. */
async function readForm(posted: FormData) {
  const read = fieldsOf(posted);
  const request = await readRequest(read, "money/withdrawals/rules");
  const back = (notice: NoticeCode): never => redirect(`${request.page}?notice=${notice}`);
  return { ...request, read, back };
}

/** Called by the form of the limits. An empty field is no limit. Returns why they were refused, or goes to the page. */
export async function saveLimits(posted: FormData): Promise<FieldProblem> {
  const form = await readForm(posted);
  requireMay(setWithdrawalLimits.verb, form);
  const given = readLimits(form.read);
  if (!given.ok) return given.problem;
  const saved = await perform(setWithdrawalLimits, form, given.limits);
  return saved.ok ? form.back("settings_saved") : ruleProblem(saved.reason);
}

/** Form action: withdraw only to the address book. Only the operator ends it. */
export async function switchBook(posted: FormData): Promise<void> {
  const form = await readForm(posted);
  const saved = await perform(setAddressBook, form, { isOn: form.read("book") !== "off" });
  form.back(saved.ok ? "settings_saved" : saved.reason);
}

/** Called by the form of the address book. Returns why the address was refused, or goes to the page. */
export async function addToBook(posted: FormData): Promise<FieldProblem> {
  const form = await readForm(posted);
  requireMay(addBookAddress.verb, form);
  const { read, act, back } = form;
  const adapter = getServices()
    .networks.list(act.env)
    .find(({ network }) => network === read("network"));
  if (adapter === undefined) return ruleProblem("network_unknown");
  const entry = { adapter, name: read("name").trim(), address: read("address").trim() };
  const added = await perform(addBookAddress, form, entry);
  return added.ok ? back("book_added") : ruleProblem(added.reason);
}

/** Form action: remove an address from the book. */
export async function removeFromBook(posted: FormData): Promise<void> {
  const form = await readForm(posted);
  const removed = await perform(removeBookAddress, form, { id: readId(form.read("id")) ?? 0 });
  form.back(removed.ok ? "book_removed" : removed.reason);
}
