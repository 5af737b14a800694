import { cookies } from "next/headers";
import { consoleCookieName } from "#lib/web/console-session.ts";
import { getServices } from "#lib/web/services.ts";
import { consoleSite } from "./session.ts";

/** A browser stores no cookie above 4 kB, and encryption makes the text longer. */
const MAX_TEXT = 2_500;
const LIFETIME_S = 60;

type Values = Readonly<Record<string, string>>;

const cookieName = () => consoleCookieName("draft", consoleSite().origin);

/**
 * Keeps what was typed into a form that was refused, for the page that shows the form again, also without scripts. It is encrypted, for a
 * minute, in the browser alone. Never give it a password or a code.
 */
export async function keepDraft(page: string, values: Values): Promise<void> {
  const text = JSON.stringify({ page, values });
  if (text.length > MAX_TEXT) return;
  const { origin } = consoleSite();
  (await cookies()).set(cookieName(), getServices().secrets.seal(text).toString("base64url"), {
    httpOnly: true,
    secure: origin.startsWith("https:"),
    sameSite: "lax",
    path: "/",
    maxAge: LIFETIME_S,
  });
}

/** The texts that were typed into a form of a page. */
export interface Draft {
  /** Changes with the values: a form with another key begins with them. */
  readonly key: string;
  readonly value: (name: string) => string | undefined;
}

/** The values that a refused form of this page had. Nothing if its last form was not refused: then the URL has no `notice`. */
export async function readDraft(page: string, notice: string | string[] | undefined): Promise<Draft> {
  const values = notice === undefined ? {} : await readValues(page);
  return { key: JSON.stringify(values), value: (name) => values[name] };
}

async function readValues(page: string): Promise<Values> {
  const sealed = (await cookies()).get(cookieName())?.value ?? "";
  try {
    const kept = JSON.parse(getServices().secrets.open(Buffer.from(sealed, "base64url")));
    return kept.page === page ? kept.values : {};
  } catch {
    return {};
  }
}
