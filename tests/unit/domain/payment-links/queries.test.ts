import assert from "node:assert/strict";
import { test } from "node:test";
import { findFramingOrigins } from "#lib/domain/payment-links/queries.ts";
import { worldOfFile } from "./world.ts";

const world = await worldOfFile({ allowOrigins: ["https://app.example"] });

test("finds the origins of a link's URLs and of its merchant, and null for an unknown link", async () => {
  const link = await world.create({
    successUrl: "https://shop.example/thanks",
    cancelUrl: "https://www.shop.example/cart",
  });
  assert.deepEqual(await findFramingOrigins(world.db, link.refid), [
    "https://shop.example",
    "https://www.shop.example",
    "https://app.example",
  ]);
  assert.equal(await findFramingOrigins(world.db, "1111111111111111111111"), null);
});
