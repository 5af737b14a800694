import { redirect } from "next/navigation";
import { PlainPage } from "#components/console/plain-page.tsx";
import { listWorkplaces } from "#lib/domain/members/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { readEnv, requireSignedIn } from "./session.ts";

/** Leads to the merchant's console, or asks which one. */
export default async function Page() {
  const signedIn = await requireSignedIn();
  const places = await listWorkplaces(getServices().database.db, signedIn);
  const [first] = places;
  const env = readEnv(undefined);
  if (first !== undefined && places.length === 1 && !signedIn.isOperator)
    redirect(`/console/m/${first.code}/${env}/overview`);
  return (
    <PlainPage title={places.length === 0 ? "Nothing here yet" : "Choose a merchant"}>
      {places.length === 0 ? (
        <p className="text-muted">
          {signedIn.isOperator
            ? "Add the first merchant on the page of this installation."
            : "You work for no merchant here any more. Ask for an invitation."}
        </p>
      ) : (
        <ul className="grid gap-2">
          {places.map(({ code, name, role }) => (
            <li key={code}>
              <a href={`/console/m/${code}/${env}/overview`} className="choice">
                <span className="grow font-medium">
                  <bdi>{name}</bdi>
                </span>
                <span className="text-sm text-muted">{role}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {signedIn.isOperator && (
        <a href="/console/operator" className="link">
          This installation
        </a>
      )}
      <a href="/console/account" className="link">
        Your account
      </a>
    </PlainPage>
  );
}
