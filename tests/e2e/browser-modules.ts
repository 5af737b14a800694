import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript";

const ROOT = join(import.meta.dirname, "../..");

/** React's development builds, as chosen by its own entry files. */
const PACKAGES: Record<string, string> = {
  react: "react/cjs/react.development.js",
  "react/jsx-runtime": "react/cjs/react-jsx-runtime.development.js",
  "react-dom": "react-dom/cjs/react-dom.development.js",
  "react-dom/client": "react-dom/cjs/react-dom-client.development.js",
  scheduler: "scheduler/cjs/scheduler.development.js",
};

/**
 * Bundles React and these modules of the repository (TypeScript or TSX, by path) into a classic script, as a
 * shop's bundler would. The script defines `modules(name)`, which returns the exports of a package or a
 * path.
 */
export function browserModules(...paths: readonly string[]): string {
  const { resolve } = createRequire(import.meta.url);
  const folder = dirname(dirname(resolve("react/package.json")));
  const sources = new Map(
    Object.entries(PACKAGES).map(([name, file]) => [name, readFileSync(join(folder, file), "utf8")]),
  );
  const add = (path: string): void => {
    if (sources.has(path)) return;
    const { outputText } = ts.transpileModule(readFileSync(join(ROOT, path), "utf8"), {
      compilerOptions: {
        jsx: ts.JsxEmit.ReactJSX,
        module: ts.ModuleKind.CommonJS,
        target: ts.ScriptTarget.ES2022,
      },
    });
    const code = outputText.replace(/require\("\.\/(.*?)"\)/g, (_, file: string) => {
      return `require("${join(dirname(path), file)}")`;
    });
    sources.set(path, code);
    for (const [, name = ""] of code.matchAll(/require\("(.*?)"\)/g)) if (!(name in PACKAGES)) add(name);
  };
  for (const path of paths) add(path);
  const table = [...sources].map(
    ([name, code]) => `${JSON.stringify(name)}: (module, exports, require) => {${code}\n}`,
  );
  return `var process = { env: { NODE_ENV: "development" } };
var modules = ((table, made) => function require(name) {
  if (!made[name]) table[name]((made[name] = { exports: {} }), made[name].exports, require);
  return made[name].exports;
})({${table.join(",\n")}}, {});`;
}
