"use server";

import { redirect } from "next/navigation";
import { actorOf } from "#lib/domain/authority/actor.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { getServices } from "#lib/web/services.ts";
import { fieldsOf, requireOperator, requireRecent } from "../../session.ts";

/** Form action: credit an unmatched deposit to a merchant, once. */
export async function creditUnmatched(posted: FormData): Promise<void> {
  const signedIn = await requireOperator();
  const read = fieldsOf(posted);
  const page = `/console/operator/unmatched?env=${read("env") === "test" ? "test" : "live"}`;
  requireRecent(signedIn, "/console/operator/unmatched");
  const id = /^[1-9][0-9]{0,14}$/.test(read("id")) ? Number(read("id")) : 0;
  const { database, networks } = getServices();
  const request = { id, email: read("email").trim(), actor: actorOf(signedIn.userId) };
  const resolved = await database.db.transaction((tx) => resolveDeposit(tx, networks, request, new Date()));
  redirect(`${page}&notice=${resolved.ok ? "deposit_credited" : resolved.reason}`);
}
