/** The lines of a changelog about upgrading to a version. */
export interface UpgradeNotes {
  /** "Unreleased" for a version that has no number yet. */
  readonly version: string;
  /** Its lines in Markdown. */
  readonly text: string;
}

/**
 * The sections "Upgrade" of the versions after `from`, the newest first. `isKnown` is false if the changelog lacks `from`: then the
 * sections of all versions are listed.
 */
export function listUpgradeNotes(
  changelog: string,
  from: string,
): { readonly notes: readonly UpgradeNotes[]; readonly isKnown: boolean } {
  const sections = changelog.split(/^## /m).slice(1).map(readSection);
  const place = sections.findIndex(({ version }) => version === from);
  const newer = place === -1 ? sections : sections.slice(0, place);
  return { notes: newer.filter(({ text }) => text !== ""), isKnown: place !== -1 };
}

/** A section "1.1.0 - 2026-12-01". */
function readSection(section: string): UpgradeNotes {
  const [version = ""] = section.split(/\s/);
  const upgrade = section.split(/^### /m).find((part) => /^Upgrade\s*$/m.test(part.split("\n")[0] ?? ""));
  return { version, text: upgrade?.replace(/^.*\n/, "").trim() ?? "" };
}
