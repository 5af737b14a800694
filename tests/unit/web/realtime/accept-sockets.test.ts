import assert from "node:assert/strict";
import { test } from "node:test";
import { openSocketLimiter } from "#lib/web/realtime/accept-sockets.ts";

function aLimiter(most: number) {
  const clock = { ms: 0 };
  return { admit: openSocketLimiter(most, () => clock.ms), clock };
}

test("limits the open sockets of an address, and admits another after one closes", () => {
  const { admit, clock } = aLimiter(2);
  const [first] = [admit("1.2.3.4"), admit("1.2.3.4")];
  clock.ms = 3_600_000;
  assert.equal(admit("1.2.3.4"), null);
  assert.ok(admit("1.2.3.5"), "another address");
  first?.();
  assert.ok(admit("1.2.3.4"));
  assert.equal(admit("1.2.3.4"), null);
});

test("limits the new sockets of a minute, however fast they close", () => {
  const { admit, clock } = aLimiter(60);
  const come = () => {
    const leave = admit("1.2.3.4");
    leave?.();
    return leave !== null;
  };
  assert.equal(Array.from({ length: 100 }, come).filter(Boolean).length, 60);
  clock.ms += 999;
  assert.equal(come(), false);
  clock.ms += 1;
  assert.deepEqual([come(), come()], [true, false]);
  clock.ms += 60_000;
  assert.equal(Array.from({ length: 100 }, come).filter(Boolean).length, 60);
});

test("counts an IPv6 address by its 64-bit network, and removes idle addresses", () => {
  const { admit, clock } = aLimiter(1);
  const stays = admit("2001:db8::1");
  assert.equal(admit("2001:db8::2"), null);
  for (let i = 0; i < 20_000; i++) admit(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)?.();
  clock.ms = 60_000;
  assert.ok(admit("10.0.0.0"), "a minute later");
  assert.equal(admit("2001:db8::3"), null, "one that is open is remembered");
  stays?.();
});

test("admits ten times as many of one 48-bit network", () => {
  const { admit } = aLimiter(2);
  const come = (n: number) => admit(`2001:db8:0:${n.toString(16)}::1`);
  const open = Array.from({ length: 100 }, (_, n) => come(n)).filter((leave) => leave !== null);
  assert.equal(open.length, 20);
  assert.ok(admit("2001:db8:1::1"), "another network");
});
