import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/**
 * Node strips types but does not read JSX. Import this module before a component (`await
 * import("#components/….tsx")`), and the component is compiled when it loads.
 */
registerHooks({
  load(url, context, next) {
    if (!url.endsWith(".tsx")) return next(url, context);
    const { outputText } = ts.transpileModule(readFileSync(fileURLToPath(url), "utf8"), {
      compilerOptions: {
        jsx: ts.JsxEmit.ReactJSX,
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2024,
      },
    });
    return { format: "module", source: outputText, shortCircuit: true };
  },
});
