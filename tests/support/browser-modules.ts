import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript";

const ROOT = join(import.meta.dirname, "../..");

/** Where React's parts are, as its own entry files choose them for development. */
const PACKAGES: Record<string, string> = {
  react: "react/cjs/react.development.js",
  "react/jsx-runtime": "react/cjs/react-jsx-runtime.development.js",
  "react-dom": "react-dom/cjs/react-dom.development.js",
  "react-dom/client": "react-dom/cjs/react-dom-client.development.js",
  scheduler: "scheduler/cjs/scheduler.development.js",
};

/**
 * A classic script with React and these modules of the repository in it (TypeScript or TSX, by path), as a shop's bundler
 * would make it. Leaves `modules(name)`, which answers what a package or a path exports.
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
