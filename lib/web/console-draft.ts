import type { Secrets } from "#lib/platform/secrets.ts";

/** A browser stores no cookie above 4 kB, and encryption makes the text longer. */
const MAX_BYTES = 2_500;
/** How long the browser, and the text itself, keep what was typed. */
export const DRAFT_LIFETIME_MS = 60_000;

/** The texts that were typed into a form, by name of the field. */
export type DraftValues = Readonly<Record<string, string>>;

/** The form that a draft belongs to: its page, and who filled it in; null before they signed in. */
export interface DraftPlace {
  readonly page: string;
  readonly userId: number | null;
}

/** The encrypted text of a draft. null if it is too long for a cookie. */
export function sealDraft(
  secrets: Pick<Secrets, "seal">,
  { page, userId }: DraftPlace,
  values: DraftValues,
  now: Date,
): string | null {
  const until = now.getTime() + DRAFT_LIFETIME_MS;
  const text = JSON.stringify({ kind: "draft", page, userId, until, values });
  return Buffer.byteLength(text) > MAX_BYTES ? null : secrets.seal(text).toString("base64url");
}

/** The values of an encrypted draft. None if it is another person's, of another page, too old, or no draft at all. */
export function openDraft(
  secrets: Pick<Secrets, "open">,
  { page, userId }: DraftPlace,
  sealed: string,
  now: Date,
): DraftValues {
  try {
    const kept = JSON.parse(secrets.open(Buffer.from(sealed, "base64url")));
    const isHere = kept.kind === "draft" && kept.page === page && kept.userId === userId;
    return isHere && kept.until > now.getTime() ? kept.values : {};
  } catch {
    return {};
  }
}
