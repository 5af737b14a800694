"use server";

import { redirect } from "next/navigation";
import { keepDraft } from "#app/console/draft.ts";
import { readId } from "#app/console/read-id.ts";
import { fieldsOf, perform, requestOfOperator, requireOperator } from "#app/console/session.ts";
import type { NoticeCode } from "#components/console/notices.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import { getServices } from "#lib/web/services.ts";

const PAGE = "/console/operator/unmatched";

/** Form action: credit an unmatched deposit to a merchant, once. */
export async function creditUnmatched(posted: FormData): Promise<void> {
  await requireOperator();
  const read = fieldsOf(posted);
  const env = read("env") === "test" ? "test" : "live";
  const [id, email, before] = [readId(read("id")), read("email").trim(), readId(read("before"))];
  const end = (notice: NoticeCode) =>
    redirect(`${PAGE}?env=${env}&notice=${notice}${before === null ? "" : `&before=${before}`}`);
  const refuse = async (reason: NoticeCode) => {
    await keepDraft(PAGE, { id: String(id), email });
    return end(reason);
  };
  const { database, networks } = getServices();
  const merchant = await findMerchantByEmail(database.db, email);
  if (merchant === null) return refuse("merchant_not_found");
  const request = await requestOfOperator({ merchantId: merchant.id, env }, PAGE);
  const resolved = await perform(resolveDeposit, request, { networks, id: id ?? 0 });
  return resolved.ok ? end("deposit_credited") : refuse(resolved.reason);
}
