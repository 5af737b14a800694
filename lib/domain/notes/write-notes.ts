import { nameActor } from "#lib/domain/authority/actor.ts";
import { defineVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import { lockMerchant } from "#lib/domain/lock-merchant.ts";
import { findCustomer } from "#lib/domain/merchants/queries.ts";
import { findLink } from "#lib/domain/payment-links/queries.ts";
import { MAX_NOTES, mayRemoveNote, readNoteText } from "./rules.ts";
import { countNotes, deleteNote, insertNote, lockNote } from "./store.ts";
import type { NoteSubject } from "./types.ts";

/** A payment or a customer of the act's merchant, with its name in the audit log. */
interface Found {
  readonly about: NoteSubject;
  readonly subject: string;
}

async function findPayment({ tx, merchantId, env }: Act, refid: string): Promise<Found | null> {
  const row = await findLink(tx, refid, { merchantId, env });
  return row === null ? null : { about: { paymentLinkId: row.link.id }, subject: `link:${refid}` };
}

async function findNotedCustomer({ tx, merchantId, env }: Act, id: number): Promise<Found | null> {
  const customer = await findCustomer(tx, { merchantId, env }, id);
  return customer === null ? null : { about: { customerId: id }, subject: `customer:${id}` };
}

/** Adds a note. The audit log has no text of it: what is removed is gone. */
async function add({ tx, now, actor, merchantId, env }: Act, { about, subject }: Found, given: string) {
  const text = readNoteText(given);
  if (text === null) return refuse("note_malformed");
  await lockMerchant(tx, merchantId);
  if ((await countNotes(tx, about)) >= MAX_NOTES) return refuse("too_many_notes");
  const id = await insertNote(tx, about, { author: nameActor(actor), text, createdAt: now });
  return done({ id }, { subject, details: { env, note: id } });
}

async function remove({ tx, actor, env }: Act, { about, subject }: Found, id: number) {
  const note = await lockNote(tx, about, id);
  if (note === null) return refuse("note_not_found");
  const { author } = note;
  if (!mayRemoveNote(actor, nameActor(actor), author)) return refuse("note_of_another");
  await deleteNote(tx, id);
  return done({}, { subject, details: { env, note: id, author } });
}

/** Adds a note to a payment. */
export const addPaymentNote = defineVerb(
  "payment_note.add",
  async (act, { refid, text }: { readonly refid: string; readonly text: string }) => {
    const found = await findPayment(act, refid);
    return found === null ? refuse("link_not_found") : add(act, found, text);
  },
);

/** Removes a note from a payment. */
export const removePaymentNote = defineVerb(
  "payment_note.remove",
  async (act, { refid, id }: { readonly refid: string; readonly id: number }) => {
    const found = await findPayment(act, refid);
    return found === null ? refuse("note_not_found") : remove(act, found, id);
  },
);

/** Adds a note to a customer. */
export const addCustomerNote = defineVerb(
  "customer_note.add",
  async (act, { customer, text }: { readonly customer: number; readonly text: string }) => {
    const found = await findNotedCustomer(act, customer);
    return found === null ? refuse("customer_not_found") : add(act, found, text);
  },
);

/** Removes a note from a customer. */
export const removeCustomerNote = defineVerb(
  "customer_note.remove",
  async (act, { customer, id }: { readonly customer: number; readonly id: number }) => {
    const found = await findNotedCustomer(act, customer);
    return found === null ? refuse("note_not_found") : remove(act, found, id);
  },
);
