import assert from "node:assert/strict";
import { test } from "node:test";
import { openSecrets } from "#lib/platform/secrets.ts";

const secrets = openSecrets("a-secret-key-of-forty-characters-for-tests");

test("opens what it sealed, and seals one text differently each time", () => {
  const sealed = secrets.seal("whsec_ünïcode");
  assert.equal(secrets.open(sealed), "whsec_ünïcode");
  assert.notDeepEqual(secrets.seal("whsec_ünïcode"), sealed);
  assert.equal(sealed.includes("whsec"), false);
  assert.equal(secrets.open(secrets.seal("")), "");
});

test("rejects any changed byte, a truncated text and another SECRET_KEY", () => {
  const sealed = secrets.seal("whsec_x");
  for (let i = 0; i < sealed.length; i++) {
    const altered = Buffer.from(sealed);
    altered[i] = altered[i]! ^ 1;
    assert.throws(() => secrets.open(altered), /sealed/, `byte ${i}`);
  }
  assert.throws(() => secrets.open(sealed.subarray(0, -1)), /sealed/);
  assert.throws(() => secrets.open(Buffer.alloc(0)), /sealed/);
  assert.throws(
    () => openSecrets("another-secret-key-of-forty-characters!!").open(sealed),
    /another SECRET_KEY/,
  );
});

test("opens a secret that an earlier release sealed, so the stored format does not change", () => {
  const stored = Buffer.from("ASDKl7PtWZWqAYgMuF/4be8nE9yLvzbElnGG63LWBgMql08fMPdv", "base64");
  assert.equal(secrets.open(stored), "whsec_kept");
});

test("derived keys depend on the purpose and the secret key only", () => {
  assert.deepEqual(secrets.derive("cursor"), secrets.derive("cursor"));
  assert.equal(secrets.derive("cursor").length, 32);
  assert.notDeepEqual(secrets.derive("cursor"), secrets.derive("csrf"));
  assert.notDeepEqual(secrets.derive("cursor"), openSecrets("x".repeat(32)).derive("cursor"));
});

test("opens what a previous SECRET_KEY sealed, and seals it again once", () => {
  const [old, other] = ["a-secret-key-of-forty-characters-for-tests", "b".repeat(40)];
  const sealed = secrets.seal("whsec_kept");
  const changed = openSecrets("c".repeat(40), [other, old]);
  assert.equal(changed.open(sealed), "whsec_kept");
  const again = changed.reseal(sealed);
  assert.ok(again !== null);
  assert.equal(changed.reseal(again), null);
  assert.equal(openSecrets("c".repeat(40)).open(again), "whsec_kept");
  assert.throws(() => secrets.open(again), /another SECRET_KEY/);
  assert.throws(() => openSecrets("c".repeat(40), [other]).reseal(sealed), /another SECRET_KEY/);
  assert.deepEqual(changed.derive("visitor"), openSecrets("c".repeat(40)).derive("visitor"));
});
