import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { KeyForm } from "#components/console/key-form.tsx";
import { PlainPage } from "#components/console/plain-page.tsx";
import { ENVS } from "#lib/chains/network-data.ts";
import { may } from "#lib/domain/authority/role-rules.ts";
import { listWorkplaces } from "#lib/domain/members/queries.ts";
import { findWebOrigin } from "#lib/domain/payment-links/framing-rules.ts";
import {
  type AuthorizeRequest,
  PERMISSION_TEXTS,
  readAuthorizeRequest,
} from "#lib/web/greenfield/authorize-request.ts";
import { getServices } from "#lib/web/services.ts";
import { readPath, requireSignedIn } from "../session.ts";
import { giveKey } from "./actions.ts";

export const metadata: Metadata = { title: "A key for a plugin" };

/** Why nobody can give this key. null: somebody can. */
function findRefusal({ permissions, unknown, redirect }: AuthorizeRequest): string | null {
  if (unknown.length > 0)
    return `It asks for permissions that do not exist here: ${unknown.join(", ").slice(0, 300)}. Nobody can give it this key.`;
  if (permissions.length === 0) return "It asks for no permission, so there is nothing to give.";
  return redirect === "malformed" ? "The address that it wants the key at is not a web address." : null;
}

/** A plugin of a shop asks for a key. A person who may make keys sees what is asked for, chooses the store, and agrees. */
export default async function Page() {
  const { database, config } = getServices();
  if (!config.greenfield) notFound();
  const signedIn = await requireSignedIn();
  const asked = readAuthorizeRequest(new URLSearchParams((await readPath()).split("?")[1]));
  const { name, permissions, redirect } = asked;
  const workplaces = await listWorkplaces(database.db, signedIn);
  const places = workplaces.filter(({ role }) => may(role, "keys.change"));
  const refusal = findRefusal(asked);
  const origin = redirect === null ? null : findWebOrigin(redirect);
  return (
    <PlainPage title="A key for a plugin">
      <p>
        <bdi className="font-medium">{name === "" ? "A plugin" : name}</bdi> asks for an API key.
      </p>
      {origin !== null && (
        <p>
          The key goes to <bdi className="font-medium break-all">{origin}</bdi>. Agree only if this is your
          shop.
        </p>
      )}
      {refusal !== null && <p role="alert">{refusal}</p>}
      {refusal === null && places.length === 0 && (
        <p role="alert">You may make keys at no merchant here. Ask an owner or a developer.</p>
      )}
      {refusal === null && places.length > 0 && (
        <>
          <p>With the key it can:</p>
          <ul className="list-disc ps-5">
            {permissions.map((permission) => (
              <li key={permission}>
                {PERMISSION_TEXTS[permission]} <code className="block text-xs text-muted">{permission}</code>
              </li>
            ))}
          </ul>
          <KeyForm action={giveKey}>
            <fieldset className="grid gap-2">
              <legend className="label">Store</legend>
              {places.flatMap(({ code, name: merchant }) =>
                ENVS.map((env) => (
                  <label key={code + env} className="choice">
                    <input type="radio" name="place" value={`${code}:${env}`} required />
                    <span>
                      <bdi>{merchant}</bdi> ({env})
                    </span>
                  </label>
                )),
              )}
            </fieldset>
            <p className="text-sm text-muted">
              It can do at most what your role can, and ends when you no longer work here. You can revoke it
              under Developers.
            </p>
          </KeyForm>
        </>
      )}
    </PlainPage>
  );
}
