import type { ReactNode } from "react";
import { LocalTime } from "#components/console/local-time.tsx";
import type { DeliveryStatus, LoggedDelivery } from "#lib/domain/webhooks/types.ts";
import { resendEvent } from "./actions.ts";

const STATUS_STYLES: Readonly<Record<DeliveryStatus, readonly [text: string, colours: string]>> = {
  due: ["Being sent", "bg-accent-soft text-accent"],
  delivered: ["Delivered", "bg-good-soft text-good"],
  failed: ["Failed", "bg-bad-soft text-bad"],
};

/** The newest deliveries, with what the receiver answered. */
export function Deliveries({
  deliveries,
  place,
  mayChange,
}: {
  deliveries: readonly LoggedDelivery[];
  place: ReactNode;
  mayChange: boolean;
}) {
  return (
    <section className="panel" aria-labelledby="deliveries">
      <h2 id="deliveries" className="font-semibold">
        Newest deliveries
      </h2>
      {deliveries.length === 0 ? (
        <p className="text-sm text-muted">Nothing was sent yet.</p>
      ) : (
        <div className="relative -mx-4 overflow-x-auto sm:-mx-6">
          <table className="console-table">
            <thead>
              <tr>
                <th scope="col">Event</th>
                <th scope="col">Time</th>
                <th scope="col">State</th>
                <th scope="col">Answer</th>
                <th scope="col">
                  <span className="sr-only">Action</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {deliveries.map((delivery) => (
                <DeliveryRow key={delivery.id} delivery={delivery} place={place} mayChange={mayChange} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function DeliveryRow({
  delivery,
  place,
  mayChange,
}: {
  delivery: LoggedDelivery;
  place: ReactNode;
  mayChange: boolean;
}) {
  const { eventId, type, status, attempts, lastStatus, lastError, createdAt } = delivery;
  const [text, colours] = STATUS_STYLES[status];
  return (
    <tr>
      <td>
        <code className="font-mono text-xs">{type}</code>
        <span className="block text-xs text-muted">evt_{eventId}</span>
      </td>
      <td className="whitespace-nowrap text-muted">
        <LocalTime at={createdAt} />
      </td>
      <td>
        <span className={`badge ${colours}`}>{text}</span>
        {attempts > 1 && <span className="block text-xs text-muted">{attempts} attempts</span>}
      </td>
      <td className="break-words text-muted">{lastStatus ?? lastError ?? ""}</td>
      <td>
        {mayChange && (
          <form action={resendEvent}>
            {place}
            <input type="hidden" name="id" value={eventId} />
            <button type="submit" className="button-quiet" aria-label={`Send again: evt_${eventId}`}>
              Send again
            </button>
          </form>
        )}
      </td>
    </tr>
  );
}
