/** Most of the time of a short command, and half of a server's start, is loading. Imported before the rest of the program. */
import { enableCompileCache, registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

/*
 * Keeps compiled sources between runs. Not in the system's folder for temporary files, where Node would put it: other
 * users could write code there. Without the right to write here, a run only takes longer.
 */
enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/paylink", import.meta.url)));

/*
 * Loads drizzle-orm and zod from their CommonJS files, which are the same code. Each has a hundred modules, and Node
 * takes longer to find an ES module: it parses the long package.json of drizzle-orm again for each.
 */
registerHooks({
  resolve(specifier, context, next) {
    // One of the fifty languages of zod is used.
    if (specifier === "../locales/index.cjs" && context.parentURL?.includes("/node_modules/zod/"))
      return next("../locales/en.cjs", context);
    if (!/^(drizzle-orm|zod)(\/|$)/.test(specifier)) return next(specifier, context);
    return next(specifier, { ...context, conditions: ["require", "node"] });
  },
});
