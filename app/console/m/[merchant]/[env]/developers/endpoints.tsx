import type { ReactNode } from "react";
import { LocalTime } from "#components/console/local-time.tsx";
import { OnceForm } from "#components/console/once-form.tsx";
import { ReadyButton } from "#components/console/ready-button.tsx";
import { WEBHOOK_FORMATS, type WebhookEndpoint, type WebhookFormat } from "#lib/domain/webhooks/types.ts";
import { changeEndpoint, makeEndpoint, testEndpoint } from "./actions.ts";

export const SECRET_HINT = "Your server checks each webhook with this secret. It is not shown again.";

const FORMAT_TEXTS: Readonly<Record<WebhookFormat, string>> = {
  standard: "Events of Paylink, as Standard Webhooks",
  btcpay: "Events of invoices, for plugins of BTCPay Server",
};

interface EndpointsProps {
  endpoints: readonly WebhookEndpoint[];
  place: ReactNode;
  /** Path of the merchant's console. */
  base: string;
  mayChange: boolean;
}

export function Endpoints({ endpoints, place, base, mayChange }: EndpointsProps) {
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
            {endpoint.format !== "standard" && <p className="text-muted">{FORMAT_TEXTS[endpoint.format]}</p>}
            {endpoint.eventTypes !== null && (
              <p className="break-words text-muted">
                {endpoint.eventTypes.length === 1 ? "1 event: " : `${endpoint.eventTypes.length} events: `}
                {endpoint.eventTypes.join(", ")}
              </p>
            )}
            {mayChange && <EndpointForms endpoint={endpoint} place={place} base={base} />}
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
          <label className="grid gap-1 text-sm text-muted">
            Receives
            <select name="format" defaultValue="standard" className="input">
              {WEBHOOK_FORMATS.map((format) => (
                <option key={format} value={format}>
                  {FORMAT_TEXTS[format]}
                </option>
              ))}
            </select>
          </label>
          <ReadyButton className="button-small justify-self-start">Add an endpoint</ReadyButton>
        </OnceForm>
      )}
    </section>
  );
}

export function EndpointState({ endpoint: { disabledAt, failingSince } }: { endpoint: WebhookEndpoint }) {
  if (disabledAt !== null) return <span className="badge bg-bad-soft text-bad">Off</span>;
  if (failingSince === null) return <span className="badge bg-good-soft text-good">On</span>;
  return (
    <span className="badge bg-warn-soft text-warn">
      Failing since <LocalTime at={failingSince} />
    </span>
  );
}

/** The forms of the list. Everything else is on the endpoint's own page. */
function EndpointForms({
  endpoint: { id, url, disabledAt },
  place,
  base,
}: {
  endpoint: WebhookEndpoint;
  place: ReactNode;
  base: string;
}) {
  return (
    <div className="flex flex-wrap gap-2">
      <form action={testEndpoint}>
        {place}
        <input type="hidden" name="id" value={id} />
        <button type="submit" className="button-quiet">
          Send a test
        </button>
      </form>
      {disabledAt !== null && (
        <form action={changeEndpoint}>
          {place}
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="enabled" value="yes" />
          <button type="submit" className="button-quiet">
            Turn on
          </button>
        </form>
      )}
      <a
        href={`${base}/developers/endpoints/${id}`}
        className="button-quiet"
        aria-label={`Change the endpoint ${url ?? ""}`}
      >
        Change
      </a>
    </div>
  );
}
