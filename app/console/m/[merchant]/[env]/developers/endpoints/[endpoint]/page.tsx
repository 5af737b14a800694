import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { type Draft, readDraft } from "#app/console/draft.ts";
import { frameOf } from "#app/console/m/frame.ts";
import { readId } from "#app/console/read-id.ts";
import { requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { Facts } from "#components/console/facts.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { readNotice } from "#components/console/notices.ts";
import { OnceForm } from "#components/console/once-form.tsx";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { Field } from "#components/console/plain-page.tsx";
import { ReadyButton } from "#components/console/ready-button.tsx";
import { EVENT_TYPES } from "#lib/domain/webhooks/events.ts";
import { INVOICE_EVENT_TYPES } from "#lib/domain/webhooks/invoice-events.ts";
import { findEndpoint, findNewestDelivery } from "#lib/domain/webhooks/queries.ts";
import type { WebhookEndpoint, WebhookFormat } from "#lib/domain/webhooks/types.ts";
import { getServices } from "#lib/web/services.ts";
import { changeEndpoint, dropEndpoint, rotateSecret } from "../../actions.ts";
import { DeliveryState } from "../../deliveries.tsx";
import { EndpointState, SECRET_HINT } from "../../endpoints.tsx";

export const metadata: Metadata = { title: "Webhook endpoint" };

interface PageProps {
  params: Promise<{ merchant: string; env: string; endpoint: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** An endpoint: its URL and events, a new secret, and the ways to stop it, the gentle one first. */
export default async function Page({ params, searchParams }: PageProps) {
  const { endpoint: given, ...where } = await params;
  const desk = await requireDesk(where, "webhooks.change");
  const { db } = getServices().database;
  const owner = { merchantId: desk.workplace.merchantId, env: desk.env };
  const id = readId(given);
  const endpoint = id === null ? null : await findEndpoint(db, owner, id);
  if (endpoint === null) notFound();
  const newest = await findNewestDelivery(db, endpoint.id);
  const { notice } = await searchParams;
  const place = { ...where, id: endpoint.id, from: "endpoint" };
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="developers"
      title="Webhook endpoint"
      notice={readNotice(notice)}
      badge={<EndpointState endpoint={endpoint} />}
    >
      <Terms
        endpoint={endpoint}
        place={place}
        draft={await readDraft(`${desk.base}/developers/endpoints/${endpoint.id}`, notice)}
      />
      <OnceForm
        action={rotateSecret}
        hint={
          endpoint.format === "standard"
            ? `${SECRET_HINT} The one before also signs for 24 hours.`
            : SECRET_HINT
        }
        className="panel max-w-xl"
      >
        <h2 className="font-semibold">Secret</h2>
        <PlaceFields of={place} />
        <ReadyButton className="button-quiet justify-self-start">Make a new secret</ReadyButton>
      </OnceForm>
      <Remove endpoint={endpoint} newest={newest} place={place} />
    </ConsoleFrame>
  );
}

/** The ways to stop it, the gentle one first. */
function Remove({
  endpoint,
  newest,
  place,
}: {
  endpoint: WebhookEndpoint;
  newest: Awaited<ReturnType<typeof findNewestDelivery>>;
  place: Readonly<Record<string, string | number>>;
}) {
  return (
    <section className="panel max-w-xl" aria-labelledby="remove">
      <h2 id="remove" className="font-semibold">
        Remove this endpoint?
      </h2>
      <Facts
        facts={[
          [
            "Newest delivery",
            newest === null ? (
              "none"
            ) : (
              <span key="newest" className="inline-flex flex-wrap items-center gap-2">
                <LocalTime at={newest.createdAt} />
                <DeliveryState status={newest.status} />
              </span>
            ),
          ],
        ]}
      />
      <p className="text-sm text-muted">
        Your server hears of no payment there any more. What is turned off can be turned on again. What is
        removed is gone, with its secret.
      </p>
      <div className="flex flex-wrap gap-2">
        <form action={changeEndpoint}>
          <PlaceFields of={{ ...place, enabled: endpoint.disabledAt === null ? "no" : "yes" }} />
          <button type="submit" className="button-quiet">
            {endpoint.disabledAt === null ? "Turn it off instead" : "Turn it on"}
          </button>
        </form>
        <form action={dropEndpoint}>
          <PlaceFields of={place} />
          <button type="submit" className="button-danger">
            Remove it
          </button>
        </form>
      </div>
    </section>
  );
}

const TYPES: Readonly<Record<WebhookFormat, readonly string[]>> = {
  standard: EVENT_TYPES,
  btcpay: INVOICE_EVENT_TYPES,
};

/** The URL and the events that it receives. */
function Terms({
  endpoint: { url, format, eventTypes },
  place,
  draft,
}: {
  endpoint: WebhookEndpoint;
  place: Readonly<Record<string, string | number>>;
  draft: Draft;
}) {
  const isRefused = draft.value("url") !== undefined;
  const events = draft.value("events") ?? (eventTypes === null ? "all" : "chosen");
  const isTicked = (type: string) =>
    isRefused ? draft.value(`event:${type}`) === "yes" : eventTypes?.includes(type) === true;
  return (
    <form key={draft.key} action={changeEndpoint} className="panel max-w-xl">
      <PlaceFields of={place} />
      <Field
        label="URL"
        name="url"
        type="url"
        required
        maxLength={2_000}
        placeholder="https://"
        defaultValue={draft.value("url") ?? url ?? ""}
      />
      <fieldset className="grid gap-2">
        <legend className="label">Events</legend>
        <label className="flex items-center gap-2 text-sm">
          <input type="radio" name="events" value="all" defaultChecked={events === "all"} />
          All of them, also those of later versions
        </label>
        <label className="flex items-center gap-2 text-sm">
          <input type="radio" name="events" value="chosen" defaultChecked={events === "chosen"} />
          These only
        </label>
        <div className="grid gap-2 ps-6 sm:grid-cols-2">
          {TYPES[format].map((type) => (
            <label key={type} className="flex min-w-0 items-center gap-2 font-mono text-xs break-all">
              <input type="checkbox" name={`event:${type}`} value="yes" defaultChecked={isTicked(type)} />
              {type}
            </label>
          ))}
        </div>
      </fieldset>
      <button type="submit" className="button-small justify-self-start">
        Save
      </button>
    </form>
  );
}
