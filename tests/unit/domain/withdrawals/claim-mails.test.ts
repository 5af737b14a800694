import assert from "node:assert/strict";
import { test } from "node:test";
import { createClaim } from "#lib/domain/withdrawals/claims/create-claim.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { performAs } from "#tests/support/acts.ts";
import { fund, USDT } from "#tests/support/withdrawals.ts";
import { worldOfFile } from "../payment-links/world.ts";

const secrets = openSecrets("a secret key for tests, at least 32 long");
const world = await worldOfFile();

test("of twenty claims at once for one address, each of another link, five are mailed in an hour", async () => {
  await fund(world.db, world.adapter, world.owner.merchantId, 10_000n * USDT);
  const links: string[] = [];
  for (let n = 0; n < 20; n++) {
    const { refid } = await world.createPicked();
    await world.pay(refid, { amount: 60n * USDT, status: "credited" });
    links.push(refid);
  }
  const { networks, settings } = world.deps;
  const deps = { networks, secrets, settings: { ...settings, sendsMail: true } };
  const way = { network: "bep20", token: "usdt", amount: USDT } as const;
  const request = { ...deps, ...way, note: null, mail: true, idempotencyKey: null };
  const made = await Promise.all(
    links.map((paymentLink) => performAs(world.db, world.owner, createClaim, { ...request, paymentLink })),
  );
  assert.equal(made.filter(({ ok }) => ok).length, 5);
  for (const one of made) if (!one.ok) assert.equal(one.reason, "mail_not_possible");
});
