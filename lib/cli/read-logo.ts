import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import sharp from "sharp";
import type { MerchantLogo } from "#lib/domain/merchants/types.ts";

export type LogoProblem =
  | "logo_unreadable"
  | "logo_too_large"
  | "logo_wrong_type"
  | "logo_too_many_pixels"
  | "logo_too_small"
  | "logo_damaged";

const MOST_FILE_BYTES = 5_000_000;
const MOST_SIDE = 4_096;
const LEAST_SIDE = 32;
/** What the page shows at 40 to 64 CSS pixels, sharp on a screen of four dots each. */
const SIDE = 256;
const MOST_BYTES = 100_000;
const QUALITIES = [90, 75, 50, 20];
const SECONDS = 20;

/**
 * A merchant's picture, checked and made anew: what is kept is our own square WebP of at most 256 pixels and 100 kB,
 * without whatever else the file held (place, camera, comments, a page for another program).
 * Only the operator's command runs this: taking a stranger's picture apart is no work for a process that serves.
 */
export async function readLogo(
  path: string,
): Promise<{ ok: true; logo: MerchantLogo } | { ok: false; reason: LogoProblem }> {
  const refuse = (reason: LogoProblem) => ({ ok: false, reason }) as const;
  const size = await stat(path).catch(() => null);
  if (size === null || !size.isFile()) return refuse("logo_unreadable");
  if (size.size > MOST_FILE_BYTES) return refuse("logo_too_large");
  const file = await readFile(path).catch(() => null);
  if (file === null) return refuse("logo_unreadable");
  // An SVG is a program with links to elsewhere, other kinds are rare: none of them reaches the decoder.
  if (!isPicture(file)) return refuse("logo_wrong_type");
  const sides = await readSides(file);
  if (sides === null) return refuse("logo_damaged");
  if (Math.max(...sides) > MOST_SIDE) return refuse("logo_too_many_pixels");
  if (Math.min(...sides) < LEAST_SIDE) return refuse("logo_too_small");
  const bytes = await encode(file);
  if (bytes === null) return refuse("logo_damaged");
  return { ok: true, logo: { hash: createHash("sha256").update(bytes).digest("hex"), bytes } };
}

/** Is it one of the three kinds, by how the file begins? */
function isPicture(file: Buffer): boolean {
  const at = (from: number, to: number) => file.toString("latin1", from, to);
  const webp = at(0, 4) === "RIFF" && at(8, 12) === "WEBP";
  return webp || at(0, 3) === "\xff\xd8\xff" || at(0, 8) === "\x89PNG\r\n\x1a\n";
}

/** Width and height as the file's head tells them; null when it tells nothing. */
async function readSides(file: Buffer): Promise<[number, number] | null> {
  try {
    const { width, height } = await sharp(file, { limitInputPixels: false }).metadata();
    return [width, height];
  } catch {
    return null;
  }
}

/** The whole picture, turned upright, within a transparent square; null when it cannot be read to its end. */
async function encode(file: Buffer): Promise<Buffer | null> {
  try {
    const square = await sharp(file, { limitInputPixels: MOST_SIDE * MOST_SIDE, failOn: "error" })
      .autoOrient()
      .resize(SIDE, SIDE, { fit: "contain", background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .timeout({ seconds: SECONDS })
      .png()
      .toBuffer();
    for (const quality of QUALITIES) {
      const bytes = await sharp(square).webp({ quality }).toBuffer();
      if (bytes.length <= MOST_BYTES) return bytes;
    }
    return null;
  } catch {
    return null;
  }
}
