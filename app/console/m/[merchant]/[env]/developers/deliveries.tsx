import { LocalTime } from "#components/console/local-time.tsx";
import { PlaceFields } from "#components/console/place-fields.tsx";
import type { DeliveryStatus, WebhookDelivery, WebhookEndpoint } from "#lib/domain/webhooks/types.ts";
import { resendEvent } from "./actions.ts";

const STATUS_STYLES: Readonly<Record<DeliveryStatus, readonly [text: string, colors: string]>> = {
  due: ["Being sent", "bg-accent-soft text-accent"],
  delivered: ["Delivered", "bg-good-soft text-good"],
  failed: ["Failed", "bg-bad-soft text-bad"],
};

export function DeliveryState({ status }: { status: DeliveryStatus }) {
  const [text, colors] = STATUS_STYLES[status];
  return <span className={`badge ${colors}`}>{text}</span>;
}

interface SendAgainProps {
  merchant: string;
  env: string;
  eventId: number;
  /** Where the form is, which is where the person returns: a payment, an event, or the page of all. */
  from: { readonly refid: string } | "event" | "developers";
}

export function SendAgain({ merchant, env, eventId, from }: SendAgainProps) {
  return (
    <form action={resendEvent}>
      <PlaceFields of={{ merchant, env, id: eventId, from: typeof from === "string" ? from : from.refid }} />
      <button type="submit" className="button-quiet" aria-label={`Send again: evt_${eventId}`}>
        Send again
      </button>
    </form>
  );
}

/** The filter of the deliveries of all payments. */
interface ShownFilter {
  readonly status: DeliveryStatus | null;
  readonly endpointId: number | null;
  /** The endpoints to choose from. */
  readonly endpoints: readonly WebhookEndpoint[];
  readonly hasOlder: boolean;
}

function FilterForm({ filter: { status, endpointId, endpoints } }: { filter: ShownFilter }) {
  return (
    <form action="#deliveries" className="grid grid-cols-2 items-end gap-2 sm:flex sm:flex-wrap">
      <label className="grid min-w-0 gap-1 text-xs text-muted">
        State of the delivery
        <select name="deliveries" defaultValue={status ?? ""} className="input min-h-9 py-1 text-sm">
          <option value="">Any</option>
          {Object.entries(STATUS_STYLES).map(([code, [text]]) => (
            <option key={code} value={code}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {(endpoints.length > 1 || endpointId !== null) && (
        <label className="grid min-w-0 gap-1 text-xs text-muted">
          Endpoint
          <select
            name="endpoint"
            defaultValue={endpointId ?? ""}
            className="input min-h-9 py-1 text-sm sm:max-w-72"
          >
            <option value="">Any</option>
            {endpoints.map(({ id, url }) => (
              <option key={id} value={id}>
                {url ?? "No URL yet"}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="submit" className="button-quiet">
        Show
      </button>
    </form>
  );
}

/** The link to the deliveries before those that are shown. */
function OlderLink({ filter: { status, endpointId }, last }: { filter: ShownFilter; last: number }) {
  const query = new URLSearchParams({
    deliveries: status ?? "",
    ...(endpointId !== null && { endpoint: String(endpointId) }),
    before: String(last),
  });
  return (
    <a href={`?${query}#deliveries`} className="button-quiet justify-self-center">
      Older deliveries
    </a>
  );
}

interface DeliveriesProps {
  deliveries: readonly WebhookDelivery[];
  merchant: string;
  env: string;
  mayChange: boolean;
  /** The payment of all of them. Absent: of all payments. */
  refid?: string;
  /** Which of all payments are shown, and whether there are older ones. */
  filter?: ShownFilter;
}

interface DeliveryRowProps extends Pick<DeliveriesProps, "merchant" | "env" | "mayChange"> {
  delivery: WebhookDelivery;
  from: SendAgainProps["from"];
}

function DeliveryRow({ delivery, merchant, env, mayChange, from }: DeliveryRowProps) {
  const { eventId, type, status, attempts, lastStatus, lastError, createdAt } = delivery;
  return (
    <tr>
      <td>
        <a
          href={`/console/m/${merchant}/${env}/developers/events/${eventId}`}
          className="font-mono text-xs break-all underline decoration-line underline-offset-4"
        >
          {type}
        </a>
        <span className="block text-xs text-muted">
          <LocalTime at={createdAt} />
        </span>
        <span className="mt-1 block sm:hidden">
          <DeliveryState status={status} />
        </span>
      </td>
      <td className="max-sm:hidden">
        <DeliveryState status={status} />
        {attempts > 1 && <span className="block text-xs text-muted">{attempts} attempts</span>}
      </td>
      <td className="break-words text-muted max-sm:hidden">{lastStatus ?? lastError ?? ""}</td>
      <td className="text-end">{mayChange && <SendAgain {...{ merchant, env, eventId, from }} />}</td>
    </tr>
  );
}

/** Deliveries, with what their receivers answered. */
export function Deliveries({ deliveries, merchant, env, mayChange, refid, filter }: DeliveriesProps) {
  const from = refid === undefined ? "developers" : { refid };
  return (
    <section className="panel" aria-labelledby="deliveries">
      <h2 id="deliveries" className="font-semibold">
        {refid === undefined ? "Deliveries" : "Webhooks"}
      </h2>
      {filter !== undefined && <FilterForm filter={filter} />}
      {deliveries.length === 0 ? (
        <p className="text-sm text-muted">
          {filter?.status || filter?.endpointId ? "There is no such delivery." : "Nothing was sent yet."}
        </p>
      ) : (
        <div className="table-wide">
          <table className="console-table">
            <thead>
              <tr>
                <th scope="col">Event</th>
                <th scope="col" className="max-sm:hidden">
                  State
                </th>
                <th scope="col" className="max-sm:hidden">
                  Answer
                </th>
                <th scope="col">
                  <span className="sr-only">Action</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {deliveries.map((delivery) => (
                <DeliveryRow key={delivery.id} {...{ delivery, merchant, env, mayChange, from }} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {filter?.hasOlder === true && <OlderLink filter={filter} last={deliveries.at(-1)?.id ?? 0} />}
    </section>
  );
}
