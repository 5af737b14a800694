import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer, text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type ConvertedPicture, nameBytes, type PictureProblem } from "./convert-picture.ts";
import { isPicture } from "./picture-type.ts";

const PROGRAM = fileURLToPath(new URL("./convert-main.ts", import.meta.url));
const TIME_MS = 30_000;

/** Converts an uploaded picture to a logo. "picture_busy": another one is being converted. */
export type LogoConverter = (
  file: Buffer,
) => Promise<ConvertedPicture | { readonly ok: false; readonly reason: "picture_busy" }>;

/**
 * Converts uploads one at a time, each in a process of its own that knows no secret and is killed after 30 seconds: a
 * decoder that a hostile file takes over or hangs costs nothing else.
 */
export function createLogoConverter(): LogoConverter {
  let isBusy = false;
  return async (file) => {
    if (!isPicture(file)) return { ok: false, reason: "picture_wrong_type" };
    if (isBusy) return { ok: false, reason: "picture_busy" };
    isBusy = true;
    try {
      return await convertApart(file);
    } finally {
      isBusy = false;
    }
  };
}

async function convertApart(file: Buffer): Promise<ConvertedPicture> {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { NODE_ENV: "production" },
    stdio: "pipe",
    timeout: TIME_MS,
    killSignal: "SIGKILL",
  });
  // A program that ends early does not read the rest.
  child.stdin.on("error", () => {});
  child.stdin.end(file);
  const [bytes, problem, [code]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  if (code === 0) return nameBytes(bytes);
  return { ok: false, reason: code === 2 ? (problem as PictureProblem) : "picture_damaged" };
}
