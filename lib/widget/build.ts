/**
 * `node lib/widget/build.ts`: makes public/checkout.js, and the same under a name that never changes its content. Says
 * how large it is, and what a shop needs to pin it. Fails above the size a shop was promised.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { minify } from "terser";
import ts from "typescript";

const ROOT = join(import.meta.dirname, "../..");
/** Bytes, gzip. */
const LARGEST = 3_072;

/** What browsers with a `<dialog>` understand. */
const LANGUAGE = { target: ts.ScriptTarget.ES2020, module: ts.ModuleKind.ESNext };
const IMPORT = /^import \{[^}]*\} from "(.*)";\n/gm;

/** This module's code after that of all it imports, each once, in one scope: names are therefore unique in this room. */
function bundle(path: string, seen: Set<string> = new Set()): string {
  if (seen.has(path)) return "";
  seen.add(path);
  const { outputText: code } = ts.transpileModule(readFileSync(path, "utf8"), { compilerOptions: LANGUAGE });
  const imports = [...code.matchAll(IMPORT)].map(([, from = ""]) => bundle(join(dirname(path), from), seen));
  const own = code.replace(IMPORT, "").replace(/^export (?:\{\};)?/gm, "");
  if (/^(?:import|export) [^{]/m.test(own))
    throw new Error(`${path}: an import the widget's build cannot read`);
  return [...imports, own].join("\n");
}

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const { code = "" } = await minify(`(()=>{${bundle(join(import.meta.dirname, "checkout.ts"))}})()`, {
  ecma: 2020,
  compress: { passes: 3, unsafe_arrows: true },
});
const script = `/*! Paylink ${version} checkout, MIT */\n${code}\n`;
const size = gzipSync(script, { level: 9 }).length;
const digest = createHash("sha384").update(script).digest();
const pinned = `checkout-${version}-${digest.toString("hex").slice(0, 8)}.js`;
if (size > LARGEST) {
  console.error(`the widget has ${size} bytes gzip, more than ${LARGEST}`);
  process.exit(1);
}
mkdirSync(join(ROOT, "public"), { recursive: true });
// Former ones stay: shops that pinned them go on.
for (const name of ["checkout.js", pinned]) writeFileSync(join(ROOT, "public", name), script);
console.log(`public/checkout.js   ${size} bytes gzip (at most ${LARGEST})
public/${pinned}
integrity            sha384-${digest.toString("base64")}`);
