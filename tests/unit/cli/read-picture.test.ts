import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { readLogo } from "#lib/cli/read-picture.ts";

const folder = mkdtempSync(join(tmpdir(), "paylink-logo-"));
after(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function file(bytes: Buffer | string): string {
  const path = join(folder, `logo-${files++}`);
  writeFileSync(path, bytes);
  return path;
}

/** A picture of one color, 80 × 40 by default. */
const picture = (width = 80, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: "#c81e1e" } });

async function refused(bytes: Buffer | string, reason: string): Promise<void> {
  assert.deepEqual(await readLogo(file(bytes)), { ok: false, reason });
}

async function accepted(bytes: Buffer): Promise<Buffer> {
  const read = await readLogo(file(bytes));
  assert.ok(read.ok, JSON.stringify(read));
  assert.equal(read.picture.hash, createHash("sha256").update(read.picture.bytes).digest("hex"));
  return read.picture.bytes;
}

/** A PNG whose header claims a size, with almost no content. */
function claiming(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(1_000_000));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    ...[chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))],
  ]);
}

test("turns a PNG, JPEG or WebP of any shape into a square WebP of 256 pixels", async () => {
  for (const bytes of [
    await picture().png().toBuffer(),
    await picture(1200, 900).jpeg().toBuffer(),
    await picture(40, 2_000).webp().toBuffer(),
  ]) {
    const logo = await accepted(bytes);
    const { format, width, height, hasAlpha } = await sharp(logo).metadata();
    assert.deepEqual([format, width, height, hasAlpha], ["webp", 256, 256, true]);
    assert.ok(logo.length < 10_000);
  }
});

test("removes location, camera and color profile, and applies the orientation", async () => {
  const bytes = await picture(80, 40)
    .jpeg()
    .withExif({ IFD0: { Copyright: "somebody" }, IFD3: { GPSLatitude: "6/1 27/1 0/1" } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const before = await sharp(bytes).metadata();
  assert.ok(before.exif !== undefined && before.icc !== undefined && before.orientation === 6);
  const logo = await accepted(bytes);
  const { exif, icc, xmp, orientation } = await sharp(logo).metadata();
  assert.deepEqual([exif, icc, xmp, orientation], [undefined, undefined, undefined, undefined]);
  // Rotated by a quarter: transparent left and right, colored from top to bottom.
  const { data, info } = await sharp(logo).raw().toBuffer({ resolveWithObject: true });
  const alphaAt = (x: number, y: number) => data[(y * info.width + x) * info.channels + 3];
  assert.deepEqual([alphaAt(2, 128), alphaAt(128, 2), alphaAt(253, 128)], [0, 255, 0]);
});

test("noise, which does not compress, stays below 100 kB", async () => {
  const raw = { width: 400, height: 400, channels: 4 } as const;
  const bytes = await sharp(randomBytes(raw.width * raw.height * raw.channels), { raw })
    .png()
    .toBuffer();
  assert.ok((await accepted(bytes)).length <= 100_000);
});

test("keeps only the first frame of an animation", async () => {
  const frames = await sharp([await picture().png().toBuffer(), await picture().negate().png().toBuffer()], {
    join: { animated: true },
  })
    .webp()
    .toBuffer();
  assert.equal((await sharp(frames).metadata()).pages, 2);
  assert.equal((await sharp(await accepted(frames)).metadata()).pages, undefined);
});

test("rejects a decompression bomb by the size in its header, before decoding", async () => {
  const started = Date.now();
  await refused(claiming(50_000, 50_000), "picture_too_many_pixels");
  await refused(claiming(4_097, 32), "picture_too_many_pixels");
  await refused(claiming(0x7fff_ffff, 0x7fff_ffff), "picture_damaged");
  // Decoding them would take minutes and 10 GB.
  assert.ok(Date.now() - started < 60_000);
});

test("rejects a truncated or damaged file instead of showing half of it", async () => {
  const noise = { width: 200, height: 200, channels: 3 } as const;
  const source = sharp(randomBytes(200 * 200 * 3), { raw: noise });
  for (const bytes of [
    await source.clone().png().toBuffer(),
    await source.clone().jpeg().toBuffer(),
    await source.clone().webp().toBuffer(),
  ]) {
    await refused(bytes.subarray(0, bytes.length / 2), "picture_damaged");
    await refused(bytes.subarray(0, 20), "picture_damaged");
  }
  await refused(claiming(2_000, 2_000), "picture_damaged");
});

test("other file types never reach the decoder, whatever their name", async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><image href="file:///etc/passwd"/></svg>';
  await refused(svg, "picture_wrong_type");
  await refused(`<?xml version="1.0"?>${svg}`, "picture_wrong_type");
  await refused(await picture().gif().toBuffer(), "picture_wrong_type");
  await refused(await picture().tiff().toBuffer(), "picture_wrong_type");
  await refused("%PDF-1.7", "picture_wrong_type");
  await refused("", "picture_wrong_type");
});

test("reports a picture that is too small, a file that is too large, and a missing file", async () => {
  await refused(await picture(31, 400).png().toBuffer(), "picture_too_small");
  await refused(
    Buffer.concat([await picture().png().toBuffer(), Buffer.alloc(5_000_001)]),
    "picture_too_large",
  );
  assert.deepEqual(await readLogo(join(folder, "absent")), { ok: false, reason: "picture_unreadable" });
  assert.deepEqual(await readLogo(folder), { ok: false, reason: "picture_unreadable" });
});
