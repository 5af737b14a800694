/** `--import` it to plant the fault that PLANT names. Fails when its text is no longer in the program. */
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PLANTS } from "./plants.ts";

const plant = PLANTS[process.env.PLANT ?? ""];
if (plant === undefined) throw new Error(`there is no plant "${process.env.PLANT}"`);
const path = join(import.meta.dirname, "../..", plant.file);
const parts = readFileSync(path, "utf8").split(plant.text);
if (parts.length !== 2)
  throw new Error(`${plant.file} has the text "${plant.text}" ${parts.length - 1} times`);
const source = stripTypeScriptTypes(parts.join(plant.replacement));
const planted = pathToFileURL(path).href;

registerHooks({
  load: (url, context, next) =>
    url === planted ? { format: "module", source, shortCircuit: true } : next(url, context),
});
