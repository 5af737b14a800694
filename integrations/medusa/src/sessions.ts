import type { BigNumberInput, RemoteQueryFunction } from "@medusajs/framework/types";
import type { Asked, Customer } from "@paylink/shop";
import { toDecimal } from "./amounts.ts";

type Query = Pick<RemoteQueryFunction, "graph">;

interface Person {
  readonly email?: string | null;
  readonly billing_address?: Names | null;
  readonly shipping_address?: Names | null;
}

interface Names {
  readonly first_name?: string | null;
  readonly last_name?: string | null;
}

/** A payment session with what the job and the provider ask about it. */
export interface Session {
  readonly id: string;
  readonly provider_id: string;
  readonly data: Record<string, unknown> | null;
  readonly amount: BigNumberInput;
  readonly raw_amount?: BigNumberInput | null;
  readonly currency_code: string;
  readonly payment?: {
    readonly captured_at?: string | Date | null;
    readonly canceled_at?: string | Date | null;
    readonly refunds?: readonly unknown[] | null;
  } | null;
  readonly payment_collection?: {
    readonly cart?: (Person & { readonly id: string; readonly completed_at?: string | Date | null }) | null;
    readonly order?: (Person & { readonly id: string }) | null;
  } | null;
}

const FIELDS = [
  ...["id", "provider_id", "data", "amount", "raw_amount", "currency_code"],
  ...["payment.captured_at", "payment.canceled_at", "payment.refunds.id"],
  ...["payment_collection.cart.id", "payment_collection.cart.completed_at"],
];
const PERSON = [
  "email",
  "billing_address.first_name",
  "billing_address.last_name",
  "shipping_address.first_name",
  "shipping_address.last_name",
];

/** Finds a session with the customer of its cart or order. Null: Medusa has deleted it. */
export async function findSession(query: Query, id: string): Promise<Session | null> {
  const people = ["cart", "order"].flatMap((of) =>
    ["id", ...PERSON].map((field) => `payment_collection.${of}.${field}`),
  );
  const { data } = await query.graph({
    entity: "payment_session",
    fields: [...FIELDS, ...people],
    filters: { id },
  });
  return (data[0] as Session | undefined) ?? null;
}

/** The amount that Medusa asks for a session: the session's own, whatever its data says. */
export function askedOf({ id, amount, raw_amount, currency_code: currency }: Session): Asked {
  return { id, amount: toDecimal(raw_amount ?? amount, currency), currency };
}

/**
 * Returns true if a paid link still has something to do: no captured payment, or a cart that became no order. A refunded or canceled
 * payment is left to people.
 */
export function isUnfinished({ payment, payment_collection: collection }: Session): boolean {
  if (payment?.canceled_at || payment?.refunds?.length) return false;
  const cart = collection?.cart;
  return !payment?.captured_at || (cart !== null && cart !== undefined && !cart.completed_at);
}

/** The customer of a session's cart or order. Null without an e-mail address. */
export function customerOf({ payment_collection: collection }: Session): Customer | null {
  const person = collection?.cart ?? collection?.order;
  if (!person?.email) return null;
  const names = [person.billing_address, person.shipping_address];
  return {
    email: person.email,
    first_name: names.find((one) => one?.first_name)?.first_name || "Customer",
    last_name: names.find((one) => one?.last_name)?.last_name || "-",
  };
}
