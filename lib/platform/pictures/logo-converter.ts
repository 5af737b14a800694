import { spawn } from "node:child_process";
import { once } from "node:events";
import { buffer, text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type ConvertedPicture, nameBytes, type PictureProblem } from "./convert-picture.ts";
import { isPicture } from "./picture-type.ts";

const PROGRAM = fileURLToPath(new URL("./convert-main.ts", import.meta.url));
const TIME_MS = 30_000;
const AT_ONCE = 2;

/** Converts an uploaded picture to a logo. "picture_busy": another one of the merchant is being converted. */
export type LogoConverter = (
  file: Buffer,
  merchantId: number,
) => Promise<ConvertedPicture | { readonly ok: false; readonly reason: "picture_busy" }>;

/**
 * Converts uploads, each in a process of its own that knows no secret and is killed after 30 seconds: a decoder that a hostile file
 * takes over or hangs costs nothing else. One of each merchant and AT_ONCE in all run at the same time; uploads of other merchants wait
 * in line, so that no merchant keeps the others from it.
 */
export function createLogoConverter(
  convert: (file: Buffer) => Promise<ConvertedPicture> = convertApart,
): LogoConverter {
  const merchants = new Set<number>();
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (file, merchantId) => {
    if (!isPicture(file)) return { ok: false, reason: "picture_wrong_type" };
    if (merchants.has(merchantId)) return { ok: false, reason: "picture_busy" };
    merchants.add(merchantId);
    try {
      if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
      running += 1;
      return await convert(file).finally(() => {
        running -= 1;
        waiting.shift()?.();
      });
    } finally {
      merchants.delete(merchantId);
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
