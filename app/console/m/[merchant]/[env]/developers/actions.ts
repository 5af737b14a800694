"use server";

import { notFound } from "next/navigation";
import { keepDraft } from "#app/console/draft.ts";
import { readId } from "#app/console/read-id.ts";
import { endAt, fieldsOf, perform, readRequest, showOnce } from "#app/console/session.ts";
import type { NoticeCode } from "#components/console/notices.ts";
import type { OnceAnswer } from "#components/console/once-form.tsx";
import { KEY_SCOPES } from "#lib/domain/authority/types.ts";
import { createKey, MAX_KEY_NAME } from "#lib/domain/merchants/create-key.ts";
import { revokeKey } from "#lib/domain/merchants/end-key.ts";
import { addIp, removeIp } from "#lib/domain/merchants/ip-entries.ts";
import { findApiKey } from "#lib/domain/merchants/queries.ts";
import { findWebOrigin } from "#lib/domain/payment-links/framing-rules.ts";
import { isRedirectUrl } from "#lib/domain/payment-links/redirect-url-rules.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import {
  addEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
  updateEndpoint,
} from "#lib/domain/webhooks/change-endpoints.ts";
import { EVENT_TYPES } from "#lib/domain/webhooks/events.ts";
import { INVOICE_EVENT_TYPES } from "#lib/domain/webhooks/invoice-events.ts";
import { redeliverEvent } from "#lib/domain/webhooks/retrigger-events.ts";
import { openEndpointToTest, sendTestRequest } from "#lib/domain/webhooks/test-endpoint.ts";
import { WEBHOOK_FORMATS } from "#lib/domain/webhooks/types.ts";
import { openGuardedAgent } from "#lib/platform/http/guarded-agent.ts";
import { PLUGIN_PRESETS, type PluginName } from "#lib/web/greenfield/authorize-request.ts";
import { getServices } from "#lib/web/services.ts";

/** A posted form, and how its action ends: at its page, with a notice if it was refused, or that it was done. */
async function readForm(posted: FormData, pageOf = (_read: (name: string) => string) => "developers") {
  const read = fieldsOf(posted);
  const request = await readRequest(read, pageOf(read));
  return { ...request, read, id: readId(read("id")) ?? 0, end: endAt.bind(null, request.page) };
}

/** The rights of the plugin's key that a new one replaces. null: it replaces none, or a key of /v1. */
async function findReplacedGrant({ act, read }: Awaited<ReturnType<typeof readForm>>) {
  const id = readId(read("replaces"));
  const key = id === null ? null : await findApiKey(getServices().database.db, act, id);
  return key === null || key.permissions === null
    ? null
    : { grant: { permissions: key.permissions, origin: key.origin } };
}

function readScope(text: string) {
  const scope = KEY_SCOPES.find((one) => one === text);
  return scope === undefined ? null : { scope };
}

/** Called by the form of a new key. The key is shown once. */
export async function makeKey(posted: FormData): Promise<OnceAnswer> {
  const form = await readForm(posted);
  const rights = (await findReplacedGrant(form)) ?? readScope(form.read("scope"));
  if (rights === null) return { notice: "scope_unknown" };
  const created = await perform(createKey, form, {
    ...rights,
    name: form.read("name").trim(),
    expiresAt: null,
  });
  if (created.ok) return showOnce(created.apiKey);
  return created.reason === "maker_removed" ? notFound() : { notice: created.reason };
}

/** Called by the form of a key for a plugin of a shop. The key is shown once. */
export async function makePluginKey(posted: FormData): Promise<OnceAnswer> {
  const form = await readForm(posted);
  const plugin = form.read("plugin");
  if (!Object.hasOwn(PLUGIN_PRESETS, plugin) || !getServices().config.greenfield)
    return { notice: "scope_unknown" };
  const preset = PLUGIN_PRESETS[plugin as PluginName];
  const url = form.read("url").trim();
  if (url !== "" && (!isRedirectUrl(url, form.act.env) || findWebOrigin(url) === null))
    return { notice: "shop_url_malformed" };
  const origin = url === "" ? null : findWebOrigin(url);
  // A preset fits several plugins.
  const name = origin === null ? preset.name : new URL(origin).host.slice(0, MAX_KEY_NAME);
  const grant = { permissions: preset.permissions, origin };
  const made = await perform(createKey, form, { grant, name, expiresAt: null });
  if (made.ok) return showOnce(made.apiKey);
  return made.reason === "maker_removed" ? notFound() : { notice: made.reason };
}

/** Form action: end a key at once. */
export async function dropKey(posted: FormData): Promise<void> {
  const form = await readForm(posted);
  form.end(await perform(revokeKey, form, { id: form.id, at: null }), "key_revoked");
}

/** Called by the form of a new endpoint. Its secret is shown once. */
export async function makeEndpoint(posted: FormData): Promise<OnceAnswer> {
  const form = await readForm(posted);
  const format = WEBHOOK_FORMATS.find((one) => one === form.read("format")) ?? "standard";
  const given = { sealer: getServices().secrets, url: form.read("url").trim(), format, eventTypes: null };
  const added = await perform(addEndpoint, form, given);
  return added.ok ? showOnce(added.secret) : { notice: added.reason };
}

/** Called by an endpoint's form: a new secret, shown once. */
export async function rotateSecret(posted: FormData): Promise<OnceAnswer> {
  const form = await readForm(posted);
  const change = { id: form.id, sealer: getServices().secrets };
  const rotated = await perform(rotateEndpointSecret, form, change);
  return rotated.ok ? { text: rotated.secret } : { notice: rotated.reason };
}

/** The page of an endpoint, or the page of all. */
function pageOfEndpoint(read: (name: string) => string): string {
  const id = readId(read("id"));
  return read("from") === "endpoint" && id !== null ? `developers/endpoints/${id}` : "developers";
}

/** Form action: give an endpoint another URL or other events, or stop and start it. */
export async function changeEndpoint(posted: FormData): Promise<void> {
  const form = await readForm(posted, pageOfEndpoint);
  const [url, enabled, events] = [form.read("url").trim(), form.read("enabled"), form.read("events")];
  const chosen = [...EVENT_TYPES, ...INVOICE_EVENT_TYPES].filter(
    (type) => form.read(`event:${type}`) === "yes",
  );
  const refuse = async (reason: NoticeCode) => {
    const types = Object.fromEntries(chosen.map((type) => [`event:${type}`, "yes"]));
    await keepDraft(form.page, { url, events, ...types });
    return form.end({ ok: false, reason });
  };
  if (events === "chosen" && chosen.length === 0) return refuse("event_types_missing");
  const updated = await perform(updateEndpoint, form, {
    id: form.id,
    ...(url !== "" && { url }),
    ...(enabled !== "" && { enabled: enabled === "yes" }),
    ...(events !== "" && { eventTypes: events === "chosen" ? chosen : null }),
  });
  return updated.ok ? form.end(updated, "endpoint_saved") : refuse(updated.reason);
}

/** Form action: remove an endpoint. */
export async function dropEndpoint(posted: FormData): Promise<void> {
  const form = await readForm(posted);
  form.end(await perform(removeEndpoint, form, { id: form.id }), "endpoint_removed");
}

/** Form action: send a signed test request now. */
export async function testEndpoint(posted: FormData): Promise<void> {
  const form = await readForm(posted);
  const { secrets, config } = getServices();
  const opened = await perform(openEndpointToTest, form, { id: form.id, secrets });
  if (!opened.ok) return form.end(opened);
  const agent = openGuardedAgent({ allow: config.webhookAllowCidrs });
  const { outcome } = await sendTestRequest(agent, opened.endpoint, new Date());
  await agent.close();
  const isAccepted = outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300;
  form.end({ ok: true }, isAccepted ? "test_accepted" : "test_refused");
}

/** The page that has the form to send an event again. */
function pageOfEvent(read: (name: string) => string): string {
  const [id, from] = [readId(read("id")), read("from")];
  if (isRefid(from)) return `payments/${from}`;
  return from === "event" && id !== null ? `developers/events/${id}` : "developers";
}

/** Form action: send an event again to every endpoint that accepts it. */
export async function resendEvent(posted: FormData): Promise<void> {
  const form = await readForm(posted, pageOfEvent);
  form.end(await perform(redeliverEvent, form, { id: form.id }), "delivery_sent");
}

/** Form action: allow live keys from an address. */
export async function allowIp(posted: FormData): Promise<void> {
  const form = await readForm(posted);
  const entry = { name: form.read("name"), address: form.read("address") };
  const added = await perform(addIp, form, entry);
  if (!added.ok) await keepDraft(form.page, entry);
  form.end(added);
}

/** Form action: remove an entry of the IP list. */
export async function dropIp(posted: FormData): Promise<void> {
  const form = await readForm(posted);
  form.end(await perform(removeIp, form, { id: form.id }));
}
