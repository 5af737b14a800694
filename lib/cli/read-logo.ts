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
/** The page shows the logo at 40 to 64 CSS pixels, on screens with up to four device pixels per CSS pixel. */
const SIDE = 256;
const MOST_BYTES = 100_000;
const QUALITIES = [90, 75, 50, 20];
const SECONDS = 20;

/**
 * Checks a merchant's picture and encodes it again: a square WebP of at most 256 pixels and 100 kB. The
 * result has no other data of the file (location, camera, comments, embedded scripts). Only the operator's
 * command runs this: a server process must not decode untrusted pictures.
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
  // An SVG may contain scripts and links, other types are rare. None of them reaches the decoder.
  if (!isPicture(file)) return refuse("logo_wrong_type");
  const sides = await readSides(file);
  if (sides === null) return refuse("logo_damaged");
  if (Math.max(...sides) > MOST_SIDE) return refuse("logo_too_many_pixels");
  if (Math.min(...sides) < LEAST_SIDE) return refuse("logo_too_small");
  const bytes = await encode(file);
  if (bytes === null) return refuse("logo_damaged");
  return { ok: true, logo: { hash: createHash("sha256").update(bytes).digest("hex"), bytes } };
}

/** True if the file starts like a PNG, JPEG or WebP. */
function isPicture(file: Buffer): boolean {
  const at = (from: number, to: number) => file.toString("latin1", from, to);
  const webp = at(0, 4) === "RIFF" && at(8, 12) === "WEBP";
  return webp || at(0, 3) === "\xff\xd8\xff" || at(0, 8) === "\x89PNG\r\n\x1a\n";
}

/** Width and height from the file header; null if it is unreadable. */
async function readSides(file: Buffer): Promise<[number, number] | null> {
  try {
    const { width, height } = await sharp(file, { limitInputPixels: false }).metadata();
    return [width, height];
  } catch {
    return null;
  }
}

/** The whole picture, upright, inside a transparent square; null if it cannot be read completely. */
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
