import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { DeliveryState, SendAgain } from "#app/console/m/[merchant]/[env]/developers/deliveries.tsx";
import { frameOf } from "#app/console/m/frame.ts";
import { readId } from "#app/console/read-id.ts";
import { requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { readNotice } from "#components/console/notices.ts";
import { may } from "#lib/domain/authority/role-rules.ts";
import { listLoggedDeliveries } from "#lib/domain/webhooks/queries.ts";
import type { LoggedAttempt, LoggedDelivery } from "#lib/domain/webhooks/types.ts";
import { getServices } from "#lib/web/services.ts";

export const metadata: Metadata = { title: "Webhook" };

/** Deliveries of one event: one for each endpoint, and one for each time that it was sent again. */
const DELIVERIES = 50;

interface PageProps {
  params: Promise<{ merchant: string; env: string; event: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const { merchant, env, event } = await params;
  const desk = await requireDesk({ merchant, env }, "developers.view");
  const eventId = readId(event);
  if (eventId === null) notFound();
  const owner = { merchantId: desk.workplace.merchantId, env: desk.env };
  const filter = { status: null, eventId, before: null, limit: DELIVERIES };
  const deliveries = await listLoggedDeliveries(getServices().database.db, owner, filter);
  const [newest] = deliveries;
  if (newest === undefined) notFound();
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="developers"
      title={newest.type}
      notice={readNotice((await searchParams).notice)}
      actions={
        may(desk.workplace.role, "webhooks.change") && (
          <SendAgain merchant={merchant} env={env} eventId={eventId} from="event" />
        )
      }
    >
      {deliveries.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} />
      ))}
      <section className="panel" aria-labelledby="request">
        <h2 id="request" className="font-semibold">
          Request
        </h2>
        <p className="text-sm text-muted">
          Its header webhook-id is <code className="font-mono">evt_{eventId}</code>. The signature is over its
          body as it was sent: one line, without the spaces that are added here.
        </p>
        <Text text={pretty(newest.body ?? "")} />
      </section>
    </ConsoleFrame>
  );
}

function Delivery({
  delivery: { id, url, status, attempts, nextAttemptAt, log },
}: {
  delivery: LoggedDelivery;
}) {
  return (
    <section className="panel" aria-labelledby={`delivery-${id}`}>
      <h2 id={`delivery-${id}`} className="flex flex-wrap items-center justify-between gap-2 font-semibold">
        <bdi className="break-all">{url ?? "No URL"}</bdi>
        <DeliveryState status={status} />
      </h2>
      {status === "due" && nextAttemptAt !== null && (
        <p className="text-sm text-muted">
          Next attempt: <LocalTime at={nextAttemptAt} />
        </p>
      )}
      {log.length < attempts && <p className="text-sm text-muted">Older attempts are no longer kept.</p>}
      <ol className="grid gap-4 text-sm">
        {log.map((attempt) => (
          <Attempt key={attempt.attempt} attempt={attempt} />
        ))}
      </ol>
    </section>
  );
}

function Attempt({
  attempt: { attempt, startedAt, durationMs, status, error, answer },
}: {
  attempt: LoggedAttempt;
}) {
  return (
    <li className="grid gap-2">
      <div className="flex flex-wrap justify-between gap-x-4">
        <span>
          Attempt {attempt}: {status === null ? (error ?? "no answer") : `HTTP ${status}`}
          <span className="text-muted"> in {durationMs} ms</span>
        </span>
        <span className="text-muted">
          <LocalTime at={startedAt} />
        </span>
      </div>
      {answer !== null && answer.length > 0 && <Text text={answer.toString("utf8")} />}
    </li>
  );
}

/** A text of a program, which may be long and wide. */
function Text({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it
    <pre tabIndex={0} className="code-block">
      {text}
    </pre>
  );
}

/** The body on several lines. It stays one line if that would change it, such as a long number in metadata. */
function pretty(body: string): string {
  try {
    const read = JSON.parse(body);
    return JSON.stringify(read) === body ? JSON.stringify(read, null, 2) : body;
  } catch {
    return body;
  }
}
