"use server";

import { redirect } from "next/navigation";
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
  const end = (notice: NoticeCode) => redirect(`${PAGE}?env=${env}&notice=${notice}`);
  const { database, networks } = getServices();
  const merchant = await findMerchantByEmail(database.db, read("email").trim());
  if (merchant === null) return end("merchant_not_found");
  const request = await requestOfOperator({ merchantId: merchant.id, env }, PAGE);
  const resolved = await perform(resolveDeposit, request, { networks, id: readId(read("id")) ?? 0 });
  end(resolved.ok ? "deposit_credited" : resolved.reason);
}
