import { isGoodNotice } from "#components/console/notice.tsx";
import { readNotice } from "#components/console/notices.ts";
import { DRAFT_LIFETIME_MS, type DraftValues, openDraft, sealDraft } from "#lib/web/console-draft.ts";
import { getServices } from "#lib/web/services.ts";
import { keepCookie, readCookie, readSignedIn } from "./session.ts";

const placeOf = async (page: string) => ({ page, userId: (await readSignedIn())?.userId ?? null });

/**
 * Keeps what was typed into a form that was refused, for the page that shows the form again, also without scripts. It is encrypted, for a
 * minute, in the browser alone. Never give it a password or a code. A draft that is too long is not kept, and neither is the one before it.
 */
export async function keepDraft(page: string, values: DraftValues): Promise<void> {
  const sealed = sealDraft(getServices().secrets, await placeOf(page), values, new Date());
  await keepCookie("draft", sealed ?? "", sealed === null ? 0 : DRAFT_LIFETIME_MS);
}

/** The texts that were typed into a form of a page. */
export interface Draft {
  /** Changes with the values: a form with another key begins with them. */
  readonly key: string;
  readonly value: (name: string) => string | undefined;
}

/** The values that a refused form of this page had. Nothing if the URL has no `notice` of a refusal. */
export async function readDraft(page: string, notice: string | string[] | undefined): Promise<Draft> {
  const code = readNotice(notice);
  const values = code === null || isGoodNotice(code) ? {} : await readValues(page);
  return { key: JSON.stringify(values), value: (name) => values[name] };
}

async function readValues(page: string): Promise<DraftValues> {
  return openDraft(getServices().secrets, await placeOf(page), await readCookie("draft"), new Date());
}
