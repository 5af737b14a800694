/** Most of the time of a short command is loading. Imported before the rest of the command. */
import { enableCompileCache, registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

/*
 * Keeps compiled sources between runs. Not in the system's folder for temporary files, where Node would put it: other
 * users could write code there. Without the right to write here, a run only takes longer.
 */
enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/paylink", import.meta.url)));

/*
 * Loads drizzle-orm from its CommonJS files, which are the same code. Its package.json lists every file, and Node
 * parses it again for each of its hundred ES modules.
 */
registerHooks({
  resolve(specifier, context, next) {
    if (!/^drizzle-orm(\/|$)/.test(specifier)) return next(specifier, context);
    return next(specifier, { ...context, conditions: ["require", "node"] });
  },
});
