import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import sharp from "sharp";
import type { StoredPicture } from "#lib/domain/merchants/types.ts";

export type PictureProblem =
  | "picture_unreadable"
  | "picture_too_large"
  | "picture_wrong_type"
  | "picture_too_many_pixels"
  | "picture_too_small"
  | "picture_damaged";

const MOST_FILE_BYTES = 5_000_000;
const MOST_SIDE = 4_096;
const LEAST_SIDE = 32;
/** What a picture becomes. */
interface Shape {
  readonly side: number;
  /** Inside a transparent square. Otherwise neither side is longer. */
  readonly isSquare: boolean;
  readonly mostBytes: number;
}
/** The page shows the logo at 40 to 64 CSS pixels, on screens with up to four device pixels per CSS pixel. */
const LOGO: Shape = { side: 256, isSquare: true, mostBytes: 100_000 };
/** A form shows its picture at up to 480 CSS pixels. */
const FORM_PICTURE: Shape = { side: 960, isSquare: false, mostBytes: 300_000 };
const QUALITIES = [90, 75, 50, 20];
const SECONDS = 20;

type ReadPicture =
  | { readonly ok: true; readonly picture: StoredPicture }
  | { readonly ok: false; readonly reason: PictureProblem };

/** Reads a merchant's logo: a square WebP of at most 256 pixels and 100 kB. */
export const readLogo = (path: string): Promise<ReadPicture> => readPicture(path, LOGO);

/** Reads the picture of a form: a WebP of at most 960 pixels each way and 300 kB. */
export const readFormPicture = (path: string): Promise<ReadPicture> => readPicture(path, FORM_PICTURE);

/**
 * Checks a picture and encodes it again. The result has no other data of the file (location, camera, comments, embedded
 * scripts). Only the operator's command runs this: a server process must not decode untrusted pictures.
 */
async function readPicture(path: string, shape: Shape): Promise<ReadPicture> {
  const refuse = (reason: PictureProblem) => ({ ok: false, reason }) as const;
  const size = await stat(path).catch(() => null);
  if (size === null || !size.isFile()) return refuse("picture_unreadable");
  if (size.size > MOST_FILE_BYTES) return refuse("picture_too_large");
  const file = await readFile(path).catch(() => null);
  if (file === null) return refuse("picture_unreadable");
  // An SVG may contain scripts and links, other types are rare. None of them reaches the decoder.
  if (!isPicture(file)) return refuse("picture_wrong_type");
  const sides = await readSides(file);
  if (sides === null) return refuse("picture_damaged");
  if (Math.max(...sides) > MOST_SIDE) return refuse("picture_too_many_pixels");
  if (Math.min(...sides) < LEAST_SIDE) return refuse("picture_too_small");
  const bytes = await encode(file, shape);
  if (bytes === null) return refuse("picture_damaged");
  return { ok: true, picture: { hash: createHash("sha256").update(bytes).digest("hex"), bytes } };
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

/** The whole picture, upright; null if it cannot be read completely. */
async function encode(file: Buffer, { side, isSquare, mostBytes }: Shape): Promise<Buffer | null> {
  try {
    const background = { r: 0, g: 0, b: 0, alpha: 0 };
    const sized = await sharp(file, { limitInputPixels: MOST_SIDE * MOST_SIDE, failOn: "error" })
      .autoOrient()
      .resize(
        side,
        side,
        isSquare ? { fit: "contain", background } : { fit: "inside", withoutEnlargement: true },
      )
      .timeout({ seconds: SECONDS })
      .png()
      .toBuffer();
    for (const quality of QUALITIES) {
      const bytes = await sharp(sized).webp({ quality }).toBuffer();
      if (bytes.length <= mostBytes) return bytes;
    }
    return null;
  } catch {
    return null;
  }
}
