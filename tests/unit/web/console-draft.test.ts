import assert from "node:assert/strict";
import { test } from "node:test";
import { openSecrets } from "#lib/platform/secrets.ts";
import { DRAFT_LIFETIME_MS, openDraft, sealDraft } from "#lib/web/console-draft.ts";

const secrets = openSecrets("k".repeat(64));
const NOW = new Date("2026-03-01T12:00:00Z");
const place = { page: "/console/m/1/test/new", userId: 7 };
const seal = (values: Record<string, string>) => sealDraft(secrets, place, values, NOW);
const inMs = (ms: number) => new Date(NOW.getTime() + ms);

test("gives a draft back to the person who typed it, on its page, for a minute", () => {
  const values = { amount: "25,50", description: "Żółć" };
  const sealed = seal(values) ?? "";
  assert.deepEqual(openDraft(secrets, place, sealed, inMs(DRAFT_LIFETIME_MS - 1)), values);
  assert.deepEqual(openDraft(secrets, place, sealed, inMs(DRAFT_LIFETIME_MS)), {});
  for (const other of [
    { ...place, userId: 8 },
    { ...place, userId: null },
    { ...place, page: "/console/m/2/test/new" },
  ])
    assert.deepEqual(openDraft(secrets, other, sealed, NOW), {});
});

test("takes nothing else for a draft", () => {
  const until = NOW.getTime() + 1_000;
  const challenge = secrets.seal(JSON.stringify({ ...place, until, values: { amount: "1" } }));
  for (const sealed of ["", "x", challenge.toString("base64url"), secrets.seal("null").toString("base64url")])
    assert.deepEqual(openDraft(secrets, place, sealed, NOW), {});
});

test("keeps what fits into a cookie, counted in bytes", () => {
  assert.ok((seal({ name: "x".repeat(2_000) }) ?? "").length > 2_000);
  assert.equal(seal({ name: "語".repeat(1_000) }), null);
  assert.equal(seal({ name: "x".repeat(2_500) }), null);
});
