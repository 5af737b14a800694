"use server";

import { redirect } from "next/navigation";
import { keepDraft } from "#app/console/draft.ts";
import { filterQuery, readPaymentFilter } from "#app/console/m/read-payment-filter.ts";
import { readId } from "#app/console/read-id.ts";
import { endAt, fieldsOf, performOwn, readRequest } from "#app/console/session.ts";
import { removeView, saveView } from "#lib/domain/members/save-view.ts";

/** Form action: save the filter of the list under a name. */
export async function keepView(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  const { act, page } = await readRequest(read, "payments");
  const { merchantId, env } = act;
  const asked = new URLSearchParams(read("query"));
  const filter = readPaymentFilter((name) => asked.get(name));
  const query = filterQuery(filter).toString();
  const name = read("name");
  const saved = await performOwn(saveView, page, { merchantId, env, name, query });
  if (saved.ok) redirect(`${page}?${query}`);
  await keepDraft(page, { name });
  // A long text makes a URL that servers refuse, so that nobody would see the notice.
  const shown = saved.reason === "view_too_long" ? { ...filter, search: null } : filter;
  redirect(`${page}?${filterQuery(shown, { notice: saved.reason })}`);
}

/** Form action: delete a saved view. */
export async function dropView(posted: FormData): Promise<void> {
  const read = fieldsOf(posted);
  const { page } = await readRequest(read, "payments");
  endAt(page, await performOwn(removeView, page, { id: readId(read("view")) ?? 0 }));
}
