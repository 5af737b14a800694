import assert from "node:assert/strict";
import { test } from "node:test";
import { addIp, isIpAllowed, removeIp } from "#lib/domain/merchants/ip-entries.ts";
import { listIpEntries } from "#lib/domain/merchants/queries.ts";
import { parseIpRange } from "#lib/platform/http/ip-ranges.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { actOf } from "#tests/support/acts.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { newMerchant } from "#tests/support/new-merchant.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const t = await databaseOfFile();

async function merchantWith(
  email: string,
  ...addresses: string[]
): Promise<{ id: number; entries: number[] }> {
  const made = await newMerchant(t.db, { sealer: openSecrets("x".repeat(32)), email, name: "Shop" }, NOW);
  return t.db.transaction(async (tx) => {
    const entries: number[] = [];
    for (const address of addresses) {
      const added = await addIp(actOf(tx, made.merchant.id, { now: NOW }), { name: "office", address });
      assert.ok(added.ok, address);
      entries.push(added.id);
    }
    return { id: made.merchant.id, entries };
  });
}

test("allows every address without entries, and only the entries otherwise", async () => {
  const open = await merchantWith("open@example.com");
  assert.equal(await isIpAllowed(t.db, open.id, "203.0.113.9"), true);
  const closed = await merchantWith("closed@example.com", "203.0.113.9");
  assert.equal(await isIpAllowed(t.db, closed.id, "203.0.113.9"), true);
  assert.equal(await isIpAllowed(t.db, closed.id, "203.0.113.10"), false);
  assert.equal(await isIpAllowed(t.db, closed.id, "not an address"), false);
});

test("matches ranges of both families, and treats mapped IPv6 addresses as IPv4", async () => {
  const { id } = await merchantWith(
    "ranges@example.com",
    "10.1.0.0/16",
    "2001:db8::/32",
    "::ffff:192.0.2.1",
    "::ffff:198.51.100.0/120",
  );
  const cases: [string, boolean][] = [
    ["10.1.255.255", true],
    ["10.2.0.0", false],
    ["::ffff:10.1.2.3", true],
    ["2001:db8:ffff::1", true],
    ["2001:DB8::1", true],
    ["2001:db9::1", false],
    ["192.0.2.1", true],
    ["::ffff:192.0.2.1", true],
    ["198.51.100.77", true],
    ["198.51.101.1", false],
  ];
  for (const [ip, allowed] of cases) assert.equal(await isIpAllowed(t.db, id, ip), allowed, ip);
});

test("refuses the address of a removed entry, and allows every address after the last removal", async () => {
  const { id, entries } = await merchantWith("remove@example.com", "203.0.113.9", "203.0.113.10");
  assert.deepEqual(
    (await listIpEntries(t.db, id)).map(({ address }) => address),
    ["203.0.113.9", "203.0.113.10"],
  );
  const remove = (entry: number) => t.db.transaction((tx) => removeIp(actOf(tx, id), { id: entry }));
  assert.deepEqual(await remove(entries[0]!), { ok: true });
  assert.equal(await isIpAllowed(t.db, id, "203.0.113.9"), false);
  assert.deepEqual(await remove(entries[0]!), { ok: false, reason: "entry_not_found" });
  await remove(entries[1]!);
  assert.equal(await isIpAllowed(t.db, id, "203.0.113.9"), true);
});

test("refuses texts that are not an address or CIDR range, and names that are no line", async () => {
  const { id } = await merchantWith("wrong@example.com");
  const add = (address: string, name = "x") =>
    t.db.transaction((tx) => addIp(actOf(tx, id), { name, address }));
  for (const address of [
    "",
    "10.0.0.1/33",
    "10.0.0.1/",
    "10.0.0",
    "::1/129",
    "example.com",
    "fe80::1%eth0",
    "1.2.3.4/8/8",
    "::ffff:1.2.3.4/8",
  ]) {
    assert.equal(parseIpRange(address), null, address);
    assert.deepEqual(await add(address), { ok: false, reason: "invalid_address" });
  }
  for (const name of ["", " ", "a\nb", "x".repeat(101)])
    assert.deepEqual(await add("::1", name), { ok: false, reason: "ip_name_malformed" });
});
