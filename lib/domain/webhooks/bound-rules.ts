import type { Actor } from "#lib/domain/authority/types.ts";
import type { WebhookEndpoint, WebhookFormat } from "./types.ts";

/** A secret that a shop chose for its endpoint. */
export interface OwnSecret {
  readonly text: string;
}

/** Reads a secret that a shop chose: printable, so that it is the same text in every request and setting. null: it is not. */
export function readOwnSecret(text: string): OwnSecret | null {
  return /^[\x20-\x7e]{1,256}$/.test(text) ? { text } : null;
}

/** The only origin at which an actor may have endpoints. null: any. A key of a shop has the origin of the shop that asked for it. */
export function boundOrigin(actor: Actor): string | null {
  return actor.kind === "key" ? (actor.grant?.origin ?? null) : null;
}

/** True if an actor who is bound to an origin may have an endpoint sent there: one of a shop, at exactly that origin. */
export function mayReach(
  bound: string | null,
  { url, format }: { readonly url: string | null; readonly format: WebhookFormat },
): boolean {
  if (bound === null) return true;
  return format === "btcpay" && url !== null && URL.canParse(url) && new URL(url).origin === bound;
}

/** True if an actor who is bound to an origin may see and change an endpoint. */
export function isWithin(bound: string | null, { url, format }: WebhookEndpoint): boolean {
  return mayReach(bound, { url, format });
}
