/**
 * Most of the time of a short command, and half of a server's start, is loading. Imported before the rest of the program.
 * Not TypeScript: Node would load its compiler for this file, before the cache can spare it for all others.
 */
import { enableCompileCache, registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url).href;
const OWN = `${ROOT}lib/`;

/*
 * Keeps compiled sources between runs. Not in the system's folder for temporary files, where Node would put it: other
 * users could write code there. Without the right to write here, a run only takes longer.
 */
enableCompileCache(fileURLToPath(`${ROOT}node_modules/.cache/paylink`));

/** What is found for a specifier of drizzle-orm or zod, which many modules import. */
const packages = new Map();

/**
 * Finds the program's own modules, and those within drizzle-orm and zod, by their names alone. Node would look for each
 * in several places, and parse the package.json for each, which is long for drizzle-orm. Both packages load from their CommonJS
 * files, which are the same code.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = "" } = context;
    if (parentURL.startsWith(OWN) && specifier.endsWith(".ts")) {
      if (specifier.startsWith("#lib/")) return findOwn(`${ROOT}${specifier.slice(1)}`);
      if (specifier.startsWith(".")) return findOwn(new URL(specifier, parentURL).href);
    }
    if (specifier.startsWith(".") && /\/node_modules\/(drizzle-orm|zod)\//.test(parentURL)) {
      // One of the fifty languages of zod is used.
      const name = specifier === "../locales/index.cjs" ? "../locales/en.cjs" : specifier;
      return { url: new URL(name, parentURL).href, format: "commonjs", shortCircuit: true };
    }
    if (!/^(drizzle-orm|zod)(\/|$)/.test(specifier)) return next(specifier, context);
    // A package of another folder may bring its own.
    if (!parentURL.startsWith(OWN)) return next(specifier, { ...context, conditions: ["require", "node"] });
    let found = packages.get(specifier);
    if (found === undefined) {
      found = { ...next(specifier, { ...context, conditions: ["require", "node"] }), shortCircuit: true };
      packages.set(specifier, found);
    }
    return found;
  },
});

/** @param {string} url */
function findOwn(url) {
  return { url, format: "module-typescript", shortCircuit: true };
}
