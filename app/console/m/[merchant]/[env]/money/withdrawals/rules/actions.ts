"use server";

import { redirect } from "next/navigation";
import type { FieldProblem } from "#components/console/field-problem.tsx";
import type { NoticeCode } from "#components/console/notices.ts";
import { actorOf } from "#lib/domain/authority/actor.ts";
import {
  addBookAddress,
  removeBookAddress,
  setAddressBook,
  setWithdrawalLimits,
} from "#lib/domain/withdrawals/limit-withdrawals.ts";
import { getServices } from "#lib/web/services.ts";
import { readId } from "../../../../../../read-id.ts";
import { fieldsOf, requireDesk, requireRecent } from "../../../../../../session.ts";
import { readLimits, ruleProblem } from "./read-rules.ts";

/** A posted form of a person who may change the rules, and the way back with a notice. */
async function requireRuler(posted: FormData) {
  const read = fieldsOf(posted);
  const desk = await requireDesk({ merchant: read("merchant"), env: read("env") }, "withdrawals.policy");
  const page = `${desk.base}/money/withdrawals/rules`;
  requireRecent(desk.signedIn, page);
  const { merchantId, role } = desk.workplace;
  const by = {
    actor: actorOf(desk.signedIn.userId),
    merchantId,
    env: desk.env,
    isOperator: role === "operator",
  };
  const back = (notice: NoticeCode): never => redirect(`${page}?notice=${notice}`);
  return { read, by, back, db: getServices().database.db, now: new Date() };
}

/** Called by the form of the limits. An empty field is no limit. Returns why they were refused, or goes to the page. */
export async function saveLimits(posted: FormData): Promise<FieldProblem> {
  const { read, by, back, db, now } = await requireRuler(posted);
  const given = readLimits(read);
  if (!given.ok) return given.problem;
  const saved = await db.transaction((tx) => setWithdrawalLimits(tx, by, given.limits, now));
  return saved.ok ? back("settings_saved") : ruleProblem(saved.reason);
}

/** Form action: withdraw only to the address book. Only the operator ends it. */
export async function switchBook(posted: FormData): Promise<void> {
  const { read, by, back, db, now } = await requireRuler(posted);
  const saved = await db.transaction((tx) => setAddressBook(tx, by, read("book") !== "off", now));
  back(saved.ok ? "settings_saved" : saved.reason);
}

/** Called by the form of the address book. Returns why the address was refused, or goes to the page. */
export async function addToBook(posted: FormData): Promise<FieldProblem> {
  const { read, by, back, db, now } = await requireRuler(posted);
  const adapter = getServices()
    .networks.list(by.env)
    .find(({ network }) => network === read("network"));
  if (adapter === undefined) return ruleProblem("network_unknown");
  const entry = { adapter, name: read("name").trim(), address: read("address").trim() };
  const added = await db.transaction((tx) => addBookAddress(tx, by, entry, now));
  return added.ok ? back("book_added") : ruleProblem(added.reason);
}

/** Form action: remove an address from the book. */
export async function removeFromBook(posted: FormData): Promise<void> {
  const { read, by, back, db, now } = await requireRuler(posted);
  const removed = await db.transaction((tx) => removeBookAddress(tx, by, readId(read("id")) ?? 0, now));
  back(removed ? "book_removed" : "book_entry_not_found");
}
