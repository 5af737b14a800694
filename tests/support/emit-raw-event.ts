import { emitEvent, emitEvents } from "#lib/domain/webhooks/emit-event.ts";
import type { EventType } from "#lib/domain/webhooks/events.ts";
import type { NewEvent } from "#lib/domain/webhooks/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { JsonText } from "#lib/platform/json-text.ts";

/** An event with any JSON text as its data: for tests of the delivery, where the data does not matter. */
export interface RawEvent extends Pick<NewEvent, "merchantId" | "env" | "txHashes"> {
  readonly type: EventType;
  readonly dataJson: string;
}

export function toNewEvent({ dataJson, ...event }: RawEvent): NewEvent {
  return { ...event, data: new JsonText(dataJson) } as unknown as NewEvent;
}

export function emitRawEvent(tx: Tx, event: RawEvent, now: Date): Promise<{ id: number }> {
  return emitEvent(tx, toNewEvent(event), now);
}

export function emitRawEvents(tx: Tx, events: readonly RawEvent[], now: Date): Promise<{ id: number }[]> {
  return emitEvents(tx, events.map(toNewEvent), now);
}
