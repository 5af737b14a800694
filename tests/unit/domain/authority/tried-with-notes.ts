/** The verbs about what staff write down, with what they need. */
import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Act } from "#lib/domain/authority/types.ts";
import { customers } from "#lib/domain/merchants/tables.ts";
import {
  addCustomerNote,
  addPaymentNote,
  removeCustomerNote,
  removePaymentNote,
} from "#lib/domain/notes/write-notes.ts";
import type { Tried } from "./tried.ts";
import { aLink, LINK } from "./tried-at-merchants.ts";

const text = "Called back";
const { refid } = LINK;

/** The customer of the link. */
async function aCustomer(act: Act): Promise<number> {
  await aLink(act);
  const { tx, merchantId } = act;
  const [row] = await tx
    .select({ id: customers.id })
    .from(customers)
    .where(eq(customers.merchantId, merchantId));
  return row?.id ?? 0;
}

/** The customer of a note, by the note's id. */
const customerOf = new Map<number, number>();

export const TRIED_WITH_NOTES = {
  "payment_note.add": {
    attempt: (act) => addPaymentNote(act, { refid, text }),
    prepare: aLink,
    notFound: "link_not_found",
  },
  "payment_note.remove": {
    attempt: (act, id) => removePaymentNote(act, { refid, id }),
    prepare: async (act) => {
      await aLink(act);
      const added = await addPaymentNote(act, { refid, text });
      assert.ok(added.ok);
      return added.id;
    },
    notFound: "note_not_found",
  },
  "customer_note.add": {
    attempt: (act, customer) => addCustomerNote(act, { customer, text }),
    prepare: aCustomer,
    notFound: "customer_not_found",
  },
  "customer_note.remove": {
    attempt: (act, id) => removeCustomerNote(act, { customer: customerOf.get(id) ?? 0, id }),
    prepare: async (act) => {
      const customer = await aCustomer(act);
      const added = await addCustomerNote(act, { customer, text });
      assert.ok(added.ok);
      customerOf.set(added.id, customer);
      return added.id;
    },
    notFound: "note_not_found",
  },
} as const satisfies Readonly<Record<string, Tried>>;
