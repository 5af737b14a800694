/** What a text that others wrote may hold, and what is shown of it. No pattern looks back over a text again and again. */
const HIDDEN: readonly (readonly [RegExp, string])[] = [
  // What was bound to a statement, in Drizzle's words.
  [/\nparams: [\s\S]*/g, ""],
  // Of a URL its host alone: hosted nodes and webhooks carry keys in user, path and query.
  [
    /\b(?!file:|node:)([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s"'`<>/?#]*@)?([^\s"'`<>/?#@),;]*)[^\s"'`<>),;]*/gi,
    "$1$2",
  ],
  [/\b(pl_(?:live|test)_)[0-9A-Za-z]+/g, "$1[hidden]"],
  [/\b(whsec_)[0-9A-Za-z+/=]+/g, "$1[hidden]"],
  [/\b([xtyzuv]prv)[1-9A-HJ-NP-Za-km-z]{20,}/g, "$1[hidden]"],
  [/\b(bearer|basic)\s+[0-9A-Za-z+/=._~-]{6,}/gi, "$1 [hidden]"],
  [/[0-9A-Za-z.!#$%&'*+/=?^_{|}~-]{1,64}@[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)+/g, "[e-mail]"],
];

/** A text as the log and the terminal may show it: no keys, no e-mail addresses, URLs cut to their host. */
export function redactSecrets(text: string): string {
  return HIDDEN.reduce((shown, [secret, instead]) => shown.replace(secret, instead), text);
}
