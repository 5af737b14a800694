/** Whose uploads are converted, and when. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConvertedPicture } from "#lib/platform/pictures/convert-picture.ts";
import { createLogoConverter } from "#lib/platform/pictures/logo-converter.ts";
import { until } from "#tests/support/until.ts";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const DAMAGED = { ok: false, reason: "picture_damaged" } as const;

test("one upload of each merchant at once; those of others wait in line and are not refused", async () => {
  const started: ((done: ConvertedPicture) => void)[] = [];
  const convert = createLogoConverter(() => new Promise((resolve) => started.push(resolve)));
  const merchants = Array.from({ length: 20 }, (_, i) => i + 1);
  const uploads = merchants.map((merchant) => convert(PNG, merchant));
  assert.deepEqual(await convert(PNG, 1), { ok: false, reason: "picture_busy" });
  assert.deepEqual(await convert(PNG, 20), { ok: false, reason: "picture_busy" }, "it waits in line");
  assert.equal(started.length, 2, "two at once");
  for (let i = 0; i < 20; i++) {
    await until("the next upload to start", async () => started.length > i);
    started[i]?.(DAMAGED);
  }
  assert.deepEqual(
    await Promise.all(uploads),
    merchants.map(() => DAMAGED),
  );
  const again = convert(PNG, 1);
  started.at(-1)?.(DAMAGED);
  assert.deepEqual(await again, DAMAGED);
});
