/** `--import` it to plant the fault that PLANT names. Fails when its text is no longer in the program. */
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PLANTS } from "./plants.ts";

const plant = PLANTS[process.env.PLANT ?? ""];
if (plant === undefined) throw new Error(`there is no plant "${process.env.PLANT}"`);
const sources = new Map<string, string>();
for (const { file, text, replacement } of plant.changes) {
  const path = join(import.meta.dirname, "../..", file);
  const { href } = pathToFileURL(path);
  const parts = (sources.get(href) ?? readFileSync(path, "utf8")).split(text);
  if (parts.length !== 2) throw new Error(`${file} has the text "${text}" ${parts.length - 1} times`);
  sources.set(href, parts.join(replacement));
}

registerHooks({
  load(url, context, next) {
    const source = sources.get(url);
    if (source === undefined) return next(url, context);
    return { format: "module", source: stripTypeScriptTypes(source), shortCircuit: true };
  },
});
