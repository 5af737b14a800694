import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { minify } from "terser";
import ts from "typescript";

/** What browsers with a `<dialog>` understand. */
const LANGUAGE = { target: ts.ScriptTarget.ES2020, module: ts.ModuleKind.ESNext };
const IMPORT = /^import \{[^}]*\} from "(.*)";\n/gm;

export interface WidgetScript {
  readonly code: string;
  /** Bytes, gzip. */
  readonly gzipSize: number;
  /** File name that stands for this very content: version and the beginning of its digest. */
  readonly pinnedName: string;
  /** For the `integrity` of a script element. */
  readonly integrity: string;
}

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

/** The widget as one classic script that leaves nothing behind but `window.Paylink`. */
export async function buildWidgetScript(version: string): Promise<WidgetScript> {
  const { code: small } = await minify(`(()=>{${bundle(join(import.meta.dirname, "checkout.ts"))}})()`, {
    ecma: 2020,
    compress: { passes: 3, unsafe_arrows: true },
  });
  const code = `/*! Paylink ${version} checkout, MIT */\n${small}\n`;
  const digest = createHash("sha384").update(code).digest();
  return {
    code,
    gzipSize: gzipSync(code, { level: 9 }).length,
    pinnedName: `checkout-${version}-${digest.toString("hex").slice(0, 8)}.js`,
    integrity: `sha384-${digest.toString("base64")}`,
  };
}
