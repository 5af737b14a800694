"use server";

import { notFound } from "next/navigation";
import { fieldsOf, perform, readPath, readRequest } from "#app/console/session.ts";
import type { KeyAnswer } from "#components/console/key-form.tsx";
import { createKey } from "#lib/domain/merchants/create-key.ts";
import { findWebOrigin } from "#lib/domain/payment-links/framing-rules.ts";
import { isRedirectUrl } from "#lib/domain/payment-links/redirect-url-rules.ts";
import { storeIdOf } from "#lib/domain/store-id.ts";
import { readAuthorizeRequest } from "#lib/web/greenfield/authorize-request.ts";
import { getServices } from "#lib/web/services.ts";

/**
 * Called by the form of a plugin's request. Makes the key and returns what the browser then posts to the plugin. The request is read from
 * the page's own address, so that what was shown is what is given.
 */
export async function giveKey(posted: FormData): Promise<KeyAnswer> {
  if (!getServices().config.greenfield) notFound();
  const page = await readPath();
  const { name, permissions, unknown, redirect } = readAuthorizeRequest(
    new URLSearchParams(page.split("?")[1]),
  );
  const [merchant = "", env = ""] = fieldsOf(posted)("place").split(":");
  const asked = new Map([
    ["merchant", merchant],
    ["env", env],
  ]);
  const { act } = await readRequest((field) => asked.get(field) ?? "", "");
  if (permissions.length === 0 || unknown.length > 0) notFound();
  if (redirect !== null && (!isRedirectUrl(redirect, act.env) || findWebOrigin(redirect) === null))
    return { notice: "shop_url_malformed" };
  const grant = { permissions, origin: redirect && findWebOrigin(redirect) };
  const made = await perform(createKey, { act, page }, { grant, name, expiresAt: null });
  if (!made.ok) return made.reason === "maker_removed" ? notFound() : { notice: made.reason };
  const store = storeIdOf(merchant, act.env);
  return {
    key: made.apiKey,
    redirect,
    fields: [
      ["apiKey", made.apiKey],
      ["userId", act.actor.kind === "person" ? String(act.actor.userId) : ""],
      ...permissions.map((permission) => ["permissions[]", `${permission}:${store}`] as const),
    ],
  };
}
