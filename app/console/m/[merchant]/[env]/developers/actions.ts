"use server";

import { notFound, redirect } from "next/navigation";
import type { NoticeCode } from "#components/console/notices.ts";
import type { OnceAnswer } from "#components/console/once-form.tsx";
import { actorOf } from "#lib/domain/authority/actor.ts";
import type { Action } from "#lib/domain/authority/role-rules.ts";
import { KEY_SCOPES } from "#lib/domain/authority/types.ts";
import { createKey } from "#lib/domain/merchants/create-key.ts";
import { revokeKey } from "#lib/domain/merchants/end-key.ts";
import { addIp, removeIp } from "#lib/domain/merchants/ip-entries.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import {
  addOwnEndpoint,
  openOwnEndpointToTest,
  redeliverOwnEvent,
  removeOwnEndpoint,
  rotateOwnEndpoint,
  updateOwnEndpoint,
} from "#lib/domain/webhooks/own-endpoints.ts";
import { sendTestRequest } from "#lib/domain/webhooks/test-endpoint.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { openGuardedAgent } from "#lib/platform/http/guarded-agent.ts";
import { getServices } from "#lib/web/services.ts";
import { readId } from "../../../../read-id.ts";
import { fieldsOf, perform, readRequest, requireDesk, requireRecent } from "../../../../session.ts";

/** A posted form, and how its action ends: at its page, with a notice if it was refused. */
async function readForm(posted: FormData, pageOf = (_read: (name: string) => string) => "developers") {
  const read = fieldsOf(posted);
  const request = await readRequest(read, pageOf(read));
  const end = (outcome: { readonly ok: true } | { readonly ok: false; readonly reason: NoticeCode }) =>
    redirect(outcome.ok ? request.page : `${request.page}?notice=${outcome.reason}`);
  return { ...request, read, id: readId(read("id")) ?? 0, end };
}

/** A posted form of a person who may do this and has just proved who they are. */
async function requireForm(
  posted: FormData,
  action: Action,
  pageOf = (_read: (name: string) => string) => "developers",
) {
  const read = fieldsOf(posted);
  const desk = await requireDesk({ merchant: read("merchant"), env: read("env") }, action);
  const page = `${desk.base}/${pageOf(read)}`;
  requireRecent(desk.signedIn, page);
  const { signedIn, workplace, env } = desk;
  const by = { actor: actorOf(signedIn.userId), merchantId: workplace.merchantId, env };
  const back = (notice: string | null) => redirect(notice === null ? page : `${page}?notice=${notice}`);
  return { read, by, madeBy: signedIn.userId, id: readId(read("id")) ?? 0, back, now: new Date() };
}

const inTransaction = <R>(work: (tx: Tx) => Promise<R>): Promise<R> =>
  getServices().database.db.transaction(work);

type Refusable = { readonly ok: true } | { readonly ok: false; readonly reason: string };
const noticeOf = (result: Refusable) => (result.ok ? null : result.reason);

/** Called by the form of a new key. The key is shown once. */
export async function makeKey(posted: FormData): Promise<OnceAnswer> {
  const form = await readForm(posted);
  const scope = KEY_SCOPES.find((one) => one === form.read("scope"));
  if (scope === undefined) return { notice: "scope_unknown" };
  const created = await perform(createKey, form, { scope, expiresAt: null });
  if (created.ok) return { text: created.apiKey };
  return created.reason === "maker_removed" ? notFound() : { notice: created.reason };
}

/** Form action: end a key at once. */
export async function dropKey(posted: FormData): Promise<void> {
  const form = await readForm(posted);
  form.end(await perform(revokeKey, form, { id: form.id, at: null }));
}

/** Called by the form of a new endpoint. Its secret is shown once. */
export async function makeEndpoint(posted: FormData): Promise<OnceAnswer> {
  const { read, by, now } = await requireForm(posted, "webhooks.change");
  const given = { url: read("url").trim(), eventTypes: null, now };
  const added = await inTransaction((tx) => addOwnEndpoint(tx, getServices().secrets, by, given));
  return added.ok ? { text: added.secret } : { notice: added.reason };
}

/** Called by an endpoint's form: a new secret, shown once. */
export async function rotateSecret(posted: FormData): Promise<OnceAnswer> {
  const { by, id, now } = await requireForm(posted, "webhooks.change");
  const rotated = await inTransaction((tx) => rotateOwnEndpoint(tx, getServices().secrets, by, { id, now }));
  return rotated.ok ? { text: rotated.secret } : { notice: rotated.reason };
}

/** Form action: give an endpoint another URL, or stop and start it. */
export async function changeEndpoint(posted: FormData): Promise<void> {
  const { read, by, id, back, now } = await requireForm(posted, "webhooks.change");
  const url = read("url").trim();
  const enabled = read("enabled");
  const update = { ...(url !== "" && { url }), ...(enabled !== "" && { enabled: enabled === "yes" }) };
  back(noticeOf(await inTransaction((tx) => updateOwnEndpoint(tx, by, { id, ...update }, now))));
}

/** Form action: remove an endpoint. */
export async function dropEndpoint(posted: FormData): Promise<void> {
  const { by, id, back, now } = await requireForm(posted, "webhooks.change");
  back(noticeOf(await inTransaction((tx) => removeOwnEndpoint(tx, by, id, now))));
}

/** Form action: send a signed test request now. Recorded before it is sent: no transaction waits for the receiver. */
export async function testEndpoint(posted: FormData): Promise<void> {
  const { by, id, back, now } = await requireForm(posted, "webhooks.change");
  const { secrets, config } = getServices();
  const opened = await inTransaction((tx) => openOwnEndpointToTest(tx, secrets, by, { id, now }));
  if (!opened.ok) return back(opened.reason);
  const agent = openGuardedAgent({ allow: config.webhookAllowCidrs });
  const { outcome } = await sendTestRequest(agent, opened.endpoint, new Date());
  await agent.close();
  const isAccepted = outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300;
  back(isAccepted ? "test_accepted" : "test_refused");
}

/** The page that has the form to send an event again. */
function pageOfEvent(read: (name: string) => string): string {
  const [id, from] = [readId(read("id")), read("from")];
  if (isRefid(from)) return `payments/${from}`;
  return from === "event" && id !== null ? `developers/events/${id}` : "developers";
}

/** Form action: send an event again to every endpoint that accepts it. */
export async function resendEvent(posted: FormData): Promise<void> {
  const { by, id, back, now } = await requireForm(posted, "webhooks.change", pageOfEvent);
  const sent = await inTransaction((tx) => redeliverOwnEvent(tx, by, id, now));
  back(sent.ok ? "delivery_sent" : sent.reason);
}

/** Form action: allow live keys from an address. */
export async function allowIp(posted: FormData): Promise<void> {
  const form = await readForm(posted);
  form.end(await perform(addIp, form, { name: form.read("name"), address: form.read("address") }));
}

/** Form action: remove an entry of the IP list. */
export async function dropIp(posted: FormData): Promise<void> {
  const form = await readForm(posted);
  form.end(await perform(removeIp, form, { id: form.id }));
}
