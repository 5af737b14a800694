import type { Fields } from "./read-fields.ts";

/** Types that a webhook may name, and characters of one. BTCPay Server has more types than links have events. */
const MOST_TYPES = 100;
const TYPE = /^[A-Za-z0-9_-]{1,100}$/;

/** The fields of a webhook, with the values of BTCPay Server for those that a plugin leaves out. */
export interface WebhookFields {
  readonly url: string;
  readonly enabled: boolean;
  readonly automaticRedelivery: boolean;
  /** The list is null for every type. */
  readonly eventTypes: string[] | null;
  /** The secret is null if none was given. */
  readonly secret: string | null;
}

/** Reads the body of a webhook. `everything` counts more than a list next to it. An unknown type is kept, and never sent. */
export function readWebhook(fields: Fields): WebhookFields {
  const authorized = fields.object("authorizedEvents");
  const types = authorized.texts("specificEvents") ?? [];
  const everything = authorized.flag("everything") ?? true;
  const known = [...new Set(types)].filter((type) => TYPE.test(type)).slice(0, MOST_TYPES);
  return {
    url: fields.text("url") ?? "",
    enabled: fields.flag("enabled") ?? true,
    automaticRedelivery: fields.flag("automaticRedelivery") ?? true,
    eventTypes: everything ? null : known,
    secret: fields.text("secret") || null,
  };
}
