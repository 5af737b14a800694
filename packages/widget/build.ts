/**
 * `node packages/widget/build.ts` writes public/checkout.js, and the same content under a pinned name. Prints the size and
 * what a shop needs to pin the script. Fails if the script is larger than shops were promised.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const ROOT = join(import.meta.dirname, "../..");
/** Bytes, gzip. */
const MAX_SIZE = 3_072;

export interface WidgetScript {
  readonly code: string;
  /** Bytes, gzip. */
  readonly gzipSize: number;
  /** File name for exactly this content: the version and the first characters of its digest. */
  readonly pinnedName: string;
  /** For the `integrity` attribute of a script element. */
  readonly integrity: string;
}

/** Bundles the widget into one classic script that defines only `window.Paylink`. */
export async function buildWidgetScript(version: string): Promise<WidgetScript> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "src/checkout.ts")],
    bundle: true,
    minify: true,
    format: "iife",
    // The oldest browsers with a `<dialog>` understand this.
    target: "es2020",
    charset: "utf8",
    // Without the project's tsconfig: its strict mode would add "use strict" to the script.
    tsconfigRaw: {},
    banner: { js: `/*! Paylink ${version} checkout, MIT */` },
    write: false,
  });
  const code = outputFiles.map(({ text }) => text).join("");
  const digest = createHash("sha384").update(code).digest();
  return {
    code,
    gzipSize: gzipSync(code, { level: 9 }).length,
    pinnedName: `checkout-${version}-${digest.toString("hex").slice(0, 8)}.js`,
    integrity: `sha384-${digest.toString("base64")}`,
  };
}

/** Writes the script of this version to `public`. */
export async function writeWidgetScript(): Promise<WidgetScript> {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  const script = await buildWidgetScript(version);
  if (script.gzipSize > MAX_SIZE)
    throw new Error(
      `the widget is too large: ${script.gzipSize} bytes gzip, at most ${MAX_SIZE} are allowed`,
    );
  mkdirSync(join(ROOT, "public"), { recursive: true });
  // Earlier pinned files are not removed: shops that pinned them still load them.
  for (const name of ["checkout.js", script.pinnedName])
    writeFileSync(join(ROOT, "public", name), script.code);
  return script;
}

async function main(): Promise<void> {
  const { gzipSize, pinnedName, integrity } = await writeWidgetScript();
  console.log(`widget               ${gzipSize} bytes gzip (at most ${MAX_SIZE})
path                 /checkout.js
path of this version /${pinnedName}
integrity            ${integrity}`);
}

if (import.meta.main)
  await main().catch((error: Error) => {
    console.error(error.message);
    process.exit(1);
  });
