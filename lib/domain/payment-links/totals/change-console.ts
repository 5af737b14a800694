import { defineVerb } from "#lib/domain/authority/define-verb.ts";
import { type ConsoleChanges, changeConsole } from "#lib/domain/merchants/update-merchant.ts";
import { recountDays } from "./fold-changes.ts";

/** Sets the time zone in which a merchant's days begin in the console, and the currency of its values. Counts the days again. */
export const setConsole = defineVerb("merchant.update", async (act, changes: ConsoleChanges) => {
  const changed = await changeConsole(act, changes);
  if (!changed.ok) return changed;
  const { before, ...made } = changed;
  if (before.timeZone !== changes.timeZone) await recountDays(act.tx, act.merchantId, changes.timeZone);
  return made;
});
