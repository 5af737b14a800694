import assert from "node:assert/strict";
import { test } from "node:test";
import { listUpgradeNotes } from "#lib/cli/update/changelog-rules.ts";

const CHANGELOG = `# Changelog

All notable changes.

## Unreleased

### Upgrade

- Stop all processes.

### Added

- A thing.

## 1.2.0 - 2026-12-02

### Added

- Upgrade notices by mail.

## 1.1.0 - 2026-12-01

### Changed

- A word.

### Upgrade

- Set \`X\`.
  It is required.

## 1.0.0 - 2026-11-27

### Upgrade

- Old.
`;

test("lists the upgrade sections of the versions after the installed one, the newest first", () => {
  const unreleased = { version: "Unreleased", text: "- Stop all processes." };
  const first = { version: "1.1.0", text: "- Set `X`.\n  It is required." };
  assert.deepEqual(listUpgradeNotes(CHANGELOG, "1.0.0"), { notes: [unreleased, first], isKnown: true });
  assert.deepEqual(listUpgradeNotes(CHANGELOG, "1.1.0"), { notes: [unreleased], isKnown: true });
  assert.deepEqual(listUpgradeNotes(CHANGELOG, "1.2.0").notes, [unreleased]);
});

test("lists all of them if the changelog lacks the installed version", () => {
  const { notes, isKnown } = listUpgradeNotes(CHANGELOG, "0.9.0");
  assert.deepEqual([isKnown, notes.map(({ version }) => version)], [false, ["Unreleased", "1.1.0", "1.0.0"]]);
  assert.deepEqual(listUpgradeNotes("", "1.0.0"), { notes: [], isKnown: false });
});
