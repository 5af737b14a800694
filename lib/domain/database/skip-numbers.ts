import { defineInstallationVerb, done } from "#lib/domain/authority/define-verb.ts";
import { moveSequencesAhead } from "./store.ts";

/** More rows than a table gets between two backups. */
const AHEAD = 1_000_000;

/**
 * Moves every sequence ahead after a restore, past all numbers that the lost database can have used. Merchants store the
 * numbers of processed events, so a new event with an old number would look like a repeat. Needs the role that owns the
 * tables. A rollback does not undo it. Returns how many numbers of each sequence were skipped.
 */
export const skipNumbers = defineInstallationVerb("numbers.skip", async ({ tx }, _: object) => {
  await moveSequencesAhead(tx, AHEAD);
  return done({ ahead: AHEAD }, { subject: "database", details: { ahead: AHEAD } });
});
