import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { frameOf } from "#app/console/m/frame.ts";
import { readId } from "#app/console/read-id.ts";
import { requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { type Fact, Facts } from "#components/console/facts.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { OnceForm } from "#components/console/once-form.tsx";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { ReadyButton } from "#components/console/ready-button.tsx";
import { listPeople } from "#lib/domain/members/queries.ts";
import { findApiKey } from "#lib/domain/merchants/queries.ts";
import { isKeyActive } from "#lib/domain/merchants/rules.ts";
import type { ApiKey } from "#lib/domain/merchants/types.ts";
import { getServices } from "#lib/web/services.ts";
import { dropKey, makeKey } from "../../actions.ts";
import { makerOf, SCOPE_TEXTS } from "../../keys.tsx";

export const metadata: Metadata = { title: "Revoke a key" };

interface PageProps {
  params: Promise<{ merchant: string; env: string; key: string }>;
}

/** A key with its last use, before it ends. */
export default async function Page({ params }: PageProps) {
  const { key: given, ...place } = await params;
  const desk = await requireDesk(place, "keys.change");
  const { db } = getServices().database;
  const owner = { merchantId: desk.workplace.merchantId, env: desk.env };
  const id = readId(given);
  const key = id === null ? null : await findApiKey(db, owner, id);
  if (key === null || !isKeyActive(key, new Date())) notFound();
  const people = await listPeople(db, key.madeBy === null ? [] : [key.madeBy]);
  return (
    <ConsoleFrame frame={frameOf(desk)} section="developers" title={`Revoke the key …${key.last4}?`}>
      <section className="panel max-w-xl" aria-label="The key">
        <Facts facts={factsOf(key, makerOf(key, people))} />
      </section>
      <OnceForm
        action={makeKey}
        hint="Give this key to your program, then revoke the old one. It is not shown again."
        className="panel max-w-xl"
      >
        <h2 className="font-semibold">Replace it first</h2>
        <p className="text-sm text-muted">
          A new key with the same name may do the same. Both work until you revoke the old one, so nothing
          stops.
        </p>
        <PlaceFields of={{ ...place, scope: key.scope, name: key.name, replaces: key.id }} />
        <ReadyButton className="button-small justify-self-start">Replace it</ReadyButton>
      </OnceForm>
      <form action={dropKey} className="panel max-w-xl">
        <h2 className="font-semibold">Revoke it now</h2>
        <p className="text-sm text-muted">
          Programs that still use it are refused at once. Each refund by an open link that it made then waits
          for an approval. This is final.
        </p>
        <PlaceFields of={{ ...place, id: key.id }} />
        <div className="flex flex-wrap gap-2">
          <a href={`${desk.base}/developers`} className="button-quiet">
            Keep it
          </a>
          <button type="submit" className="button-danger">
            Revoke it now
          </button>
        </div>
      </form>
    </ConsoleFrame>
  );
}

const factsOf = (key: ApiKey, maker: string): readonly Fact[] => [
  ...(key.name === "" ? [] : [["Name", key.name] as const]),
  ["It may do", SCOPE_TEXTS[key.scope]],
  ...(key.permissions === null ? [] : [["Permissions", key.permissions.join(", ")] as const]),
  ...(key.origin === null ? [] : [["Shop", key.origin] as const]),
  ["Made by", maker],
  ["Made", <LocalTime key="made" at={key.createdAt} />],
  ["Last used", key.lastUsedAt === null ? "never" : <LocalTime key="used" at={key.lastUsedAt} />],
];
