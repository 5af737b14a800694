"use server";

import { notFound } from "next/navigation";
import { endNote } from "#app/console/m/end-note.ts";
import { readId } from "#app/console/read-id.ts";
import { fieldsOf, perform, readRequest } from "#app/console/session.ts";
import { addCustomerNote, removeCustomerNote } from "#lib/domain/notes/write-notes.ts";

/** Reads a form on a customer's page. */
async function readForm(posted: FormData) {
  const read = fieldsOf(posted);
  const customer = readId(read("customer"));
  if (customer === null) notFound();
  return { ...(await readRequest(read, `customers/${customer}`)), customer, read };
}

/** Form action: write a note on a customer. */
export async function noteCustomer(posted: FormData): Promise<void> {
  const { read, customer, ...request } = await readForm(posted);
  const text = read("note");
  await endNote(request.page, await perform(addCustomerNote, request, { customer, text }), text);
}

/** Form action: delete a note on a customer. */
export async function dropCustomerNote(posted: FormData): Promise<void> {
  const { read, customer, ...request } = await readForm(posted);
  const id = readId(read("note")) ?? 0;
  await endNote(request.page, await perform(removeCustomerNote, request, { customer, id }));
}
