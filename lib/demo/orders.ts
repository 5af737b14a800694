import { existsSync, readFileSync } from "node:fs";
import { writeWhole } from "#lib/dev-chains/write-whole.ts";
import type { PaymentLinkEvent } from "#packages/client/src/events.ts";

/** An order of the shop, as its newest event left it. */
export interface Order {
  readonly reference: string;
  /** The highest `seq` that the shop has handled for the order's link. */
  readonly seq: number;
  readonly status: "shipped" | "stopped" | "released";
  /** How often the goods went out. */
  readonly shipments: number;
}

type LinkData = PaymentLinkEvent["data"];

/**
 * The order after an event, or null if the shop ignores the event: it handles an event only if its `seq` is higher than
 * the highest that it has handled for the link. After a restore of Paylink an event comes again with another id, and
 * only this rule keeps the goods from going out twice. `state` decides, not the event's type: of events that arrive in
 * another order only the newest is handled.
 */
export function handleEvent(
  order: Order | undefined,
  { seq, state, payment_reference: reference }: Pick<LinkData, "seq" | "state" | "payment_reference">,
): Order | null {
  if (order !== undefined && seq <= order.seq) return null;
  const shipments = order?.shipments ?? 0;
  if (state === "completed" || state === "overpaid") {
    const isOut = order?.status === "shipped";
    return { reference, seq, status: "shipped", shipments: isOut ? shipments : shipments + 1 };
  }
  const ended = state === "failed" || state === "expired";
  return { reference, seq, status: ended ? "released" : "stopped", shipments };
}

/** The shop's orders by refid, kept in a file: a shop that forgets what it has handled ships again. */
export interface OrderBook {
  handle(data: LinkData): void;
  list(): readonly Order[];
}

/** Opens the orders in the file `path`, which need not exist. */
export function openOrders(path: string): OrderBook {
  const orders = new Map<string, Order>(
    existsSync(path) ? Object.entries(JSON.parse(readFileSync(path, "utf8"))) : [],
  );
  return {
    handle(data) {
      const order = handleEvent(orders.get(data.refid), data);
      if (order === null) return;
      orders.set(data.refid, order);
      writeWhole(path, `${JSON.stringify(Object.fromEntries(orders))}\n`);
    },
    list: () => [...orders.values()],
  };
}
