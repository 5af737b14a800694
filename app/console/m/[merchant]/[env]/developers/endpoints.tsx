import type { ReactNode } from "react";
import { LocalTime } from "#components/console/local-time.tsx";
import { OnceForm } from "#components/console/once-form.tsx";
import type { WebhookEndpoint } from "#lib/domain/webhooks/types.ts";
import { changeEndpoint, dropEndpoint, makeEndpoint, rotateSecret, testEndpoint } from "./actions.ts";

const SECRET_HINT = "Your server checks each webhook with this secret. It is not shown again.";

interface EndpointsProps {
  endpoints: readonly WebhookEndpoint[];
  place: ReactNode;
  mayChange: boolean;
}

export function Endpoints({ endpoints, place, mayChange }: EndpointsProps) {
  return (
    <section className="panel" aria-labelledby="endpoints">
      <h2 id="endpoints" className="font-semibold">
        Webhook endpoints
      </h2>
      {endpoints.length === 0 && (
        <p className="text-sm text-muted">
          There is none yet. A webhook notifies your server of each payment.
        </p>
      )}
      <ul className="grid gap-4 text-sm">
        {endpoints.map((endpoint) => (
          <li key={endpoint.id} className="grid gap-2">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <bdi className="font-medium break-all">{endpoint.url ?? "No URL yet"}</bdi>
              <EndpointState endpoint={endpoint} />
            </div>
            {mayChange && <EndpointForms endpoint={endpoint} place={place} />}
          </li>
        ))}
      </ul>
      {mayChange && (
        <OnceForm action={makeEndpoint} hint={SECRET_HINT} className="grid gap-3 border-t border-line pt-4">
          {place}
          <label className="grid gap-1 text-sm text-muted">
            URL of another endpoint
            <input
              name="url"
              type="url"
              required
              maxLength={2_000}
              placeholder="https://"
              className="input"
            />
          </label>
          <button type="submit" className="button-small justify-self-start">
            Add an endpoint
          </button>
        </OnceForm>
      )}
    </section>
  );
}

function EndpointState({ endpoint: { disabledAt, failingSince } }: { endpoint: WebhookEndpoint }) {
  if (disabledAt !== null) return <span className="badge bg-bad-soft text-bad">Off</span>;
  if (failingSince === null) return <span className="badge bg-good-soft text-good">On</span>;
  return (
    <span className="badge bg-warn-soft text-warn">
      Failing since <LocalTime at={failingSince} />
    </span>
  );
}

function EndpointForms({
  endpoint: { id, url, disabledAt },
  place,
}: {
  endpoint: WebhookEndpoint;
  place: ReactNode;
}) {
  const target = (
    <>
      {place}
      <input type="hidden" name="id" value={id} />
    </>
  );
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <form action={changeEndpoint} className="flex grow gap-2">
          {target}
          <input
            name="url"
            type="url"
            defaultValue={url ?? ""}
            maxLength={2_000}
            placeholder="https://"
            aria-label="URL of this endpoint"
            className="input min-h-9 min-w-40 py-1 text-sm"
          />
          <button type="submit" className="button-quiet">
            Save
          </button>
        </form>
        <form action={testEndpoint}>
          {target}
          <button type="submit" className="button-quiet">
            Send a test
          </button>
        </form>
        <form action={changeEndpoint}>
          {target}
          <input type="hidden" name="enabled" value={disabledAt === null ? "no" : "yes"} />
          <button type="submit" className="button-quiet">
            {disabledAt === null ? "Turn off" : "Turn on"}
          </button>
        </form>
        <form action={dropEndpoint}>
          {target}
          <button type="submit" className="button-quiet">
            Remove
          </button>
        </form>
      </div>
      <OnceForm
        action={rotateSecret}
        hint={`${SECRET_HINT} The one before also signs for 24 hours.`}
        className="grid gap-2"
      >
        {target}
        <button type="submit" className="button-quiet justify-self-start">
          Make a new secret
        </button>
      </OnceForm>
    </>
  );
}
