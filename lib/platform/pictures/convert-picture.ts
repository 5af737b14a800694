import { createHash } from "node:crypto";
import sharp from "sharp";
import { isPicture } from "./picture-type.ts";

/** Why a picture is refused. */
export type PictureProblem =
  | "picture_wrong_type"
  | "picture_too_many_pixels"
  | "picture_too_small"
  | "picture_damaged";

const MOST_SIDE = 4_096;
const LEAST_SIDE = 32;
/** The format and size of a converted picture. */
interface Shape {
  readonly side: number;
  /** Inside a transparent square. Otherwise neither side is longer. */
  readonly isSquare: boolean;
  readonly mostBytes: number;
}

export const SHAPES = {
  /** The page shows the logo at 40 to 64 CSS pixels, on screens with up to four device pixels per CSS pixel. */
  logo: { side: 256, isSquare: true, mostBytes: 100_000 },
  /** A form shows its picture at up to 480 CSS pixels. */
  form: { side: 960, isSquare: false, mostBytes: 300_000 },
} as const satisfies Readonly<Record<string, Shape>>;
const QUALITIES = [90, 75, 50, 20];
const SECONDS = 20;

/** A WebP, and the SHA-256 of its bytes in hex. */
export type ConvertedPicture =
  | { readonly ok: true; readonly picture: { readonly hash: string; readonly bytes: Buffer } }
  | { readonly ok: false; readonly reason: PictureProblem };

/** The converted picture with the name of its content. */
export function nameBytes(bytes: Buffer): ConvertedPicture {
  return { ok: true, picture: { hash: createHash("sha256").update(bytes).digest("hex"), bytes } };
}

/**
 * Checks a picture and encodes it again. The result has no other data of the file (location, camera, comments, embedded
 * scripts). Only processes without anything else to lose run this: the operator's command, and convert-main.ts for the
 * server, which must not decode untrusted pictures itself.
 */
export async function convertPicture(file: Buffer, shape: Shape): Promise<ConvertedPicture> {
  const refuse = (reason: PictureProblem) => ({ ok: false, reason }) as const;
  // An SVG may contain scripts and links, other types are rare. Such files do not reach the decoder.
  if (!isPicture(file)) return refuse("picture_wrong_type");
  const sides = await readSides(file);
  if (sides === null) return refuse("picture_damaged");
  if (Math.max(...sides) > MOST_SIDE) return refuse("picture_too_many_pixels");
  if (Math.min(...sides) < LEAST_SIDE) return refuse("picture_too_small");
  const bytes = await encode(file, shape);
  return bytes === null ? refuse("picture_damaged") : nameBytes(bytes);
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
