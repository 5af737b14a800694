/**
 * `node lib/widget/build.ts`: makes public/checkout.js, and the same under a name that never changes its content. Says
 * how large it is, and what a shop needs to pin it. Fails above the size that shops were promised.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildWidgetScript } from "./make-script.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Bytes, gzip. */
const LARGEST = 3_072;

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const { code, gzipSize, pinnedName, integrity } = await buildWidgetScript(version);
if (gzipSize > LARGEST) {
  console.error(`the widget has ${gzipSize} bytes gzip, more than ${LARGEST}`);
  process.exit(1);
}
mkdirSync(join(ROOT, "public"), { recursive: true });
// Former ones stay: shops that pinned them go on.
for (const name of ["checkout.js", pinnedName]) writeFileSync(join(ROOT, "public", name), code);
console.log(`the widget           ${gzipSize} bytes gzip (at most ${LARGEST})
path                 /checkout.js
path of this version /${pinnedName}
integrity            ${integrity}`);
