import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { frameOf } from "#app/console/m/frame.ts";
import { readId } from "#app/console/read-id.ts";
import { requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { Facts } from "#components/console/facts.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { listMembers } from "#lib/domain/members/queries.ts";
import { listApiKeys } from "#lib/domain/merchants/queries.ts";
import { isKeyActive } from "#lib/domain/merchants/rules.ts";
import { getServices } from "#lib/web/services.ts";
import { change } from "../actions.ts";

export const metadata: Metadata = { title: "Remove a member" };

interface PageProps {
  params: Promise<{ merchant: string; env: string; member: string }>;
}

/** The person, and the keys that end with their membership, before it ends. */
export default async function Page({ params }: PageProps) {
  const { member: given, ...place } = await params;
  const desk = await requireDesk(place, "members.change");
  const { db } = getServices().database;
  const { merchantId } = desk.workplace;
  const member = (await listMembers(db, merchantId)).find(({ userId }) => userId === readId(given));
  if (member === undefined) notFound();
  const { userId, name, email, role, createdAt } = member;
  const now = new Date();
  const keys = await listApiKeys(db, merchantId);
  const ending = keys.filter((key) => key.madeBy === userId && isKeyActive(key, now));
  return (
    <ConsoleFrame frame={frameOf(desk)} section="members" title={`Remove ${name}?`}>
      <form action={change} className="panel max-w-xl">
        <Facts
          facts={[
            ["E-mail address", email],
            ["Role", role],
            ["Since", <LocalTime key="since" at={createdAt} />],
            [
              "Keys that end",
              ending.length === 0 ? "none" : ending.map(({ last4 }) => `…${last4}`).join(", "),
            ],
          ]}
        />
        <p className="text-sm text-muted">
          They can open nothing of this merchant any more, at once. Programs that use a key of theirs are
          refused: replace those keys first. Customers can still use open refund links that they made, but
          each refund then waits for an approval. A new invitation lets them return, but not the keys.
        </p>
        <PlaceFields of={{ ...place, member: userId, role: "" }} />
        <div className="flex flex-wrap gap-2">
          <a href={`${desk.base}/members`} className="button-quiet">
            Keep them
          </a>
          <button type="submit" className="button-danger">
            Remove them
          </button>
        </div>
      </form>
    </ConsoleFrame>
  );
}
