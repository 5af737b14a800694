import { readFile, stat } from "node:fs/promises";
import { type ConvertedPicture, convertPicture, SHAPES } from "#lib/platform/pictures/convert-picture.ts";

const MOST_FILE_BYTES = 5_000_000;

type ReadPicture =
  | ConvertedPicture
  | { readonly ok: false; readonly reason: "picture_unreadable" | "picture_too_large" };

/** Reads a merchant's logo: a square WebP of at most 256 pixels and 100 kB. */
export const readLogo = (path: string): Promise<ReadPicture> => readPicture(path, "logo");

/** Reads the picture of a form: a WebP of at most 960 pixels each way and 300 kB. */
export const readFormPicture = (path: string): Promise<ReadPicture> => readPicture(path, "form");

async function readPicture(path: string, shape: keyof typeof SHAPES): Promise<ReadPicture> {
  const size = await stat(path).catch(() => null);
  if (size === null || !size.isFile()) return { ok: false, reason: "picture_unreadable" };
  if (size.size > MOST_FILE_BYTES) return { ok: false, reason: "picture_too_large" };
  const file = await readFile(path).catch(() => null);
  return file === null ? { ok: false, reason: "picture_unreadable" } : convertPicture(file, SHAPES[shape]);
}
