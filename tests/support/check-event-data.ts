import { EVENTS, type EventType } from "#lib/domain/webhooks/events.ts";

/** The data of a stored event. Throws if it does not fit the schema of its type, or has another field. */
export function checkEventData(type: string, body: string): Record<string, unknown> {
  const { data } = JSON.parse(body) as { data: Record<string, unknown> };
  EVENTS[type as EventType].data.strict().parse(data);
  return data;
}
