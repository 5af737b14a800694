import { readFileSync } from "node:fs";

type Text = string | ((...values: never[]) => string);
type Tree = { readonly [key: string]: Text | Tree };

/** Every text of a tree by its path, such as "steps.label". */
export function textsByPath(tree: object): Map<string, Text> {
  const found = new Map<string, Text>();
  const walk = (branch: Tree, at: string) => {
    for (const [key, value] of Object.entries(branch)) {
      if (typeof value === "object") walk(value, `${at}${key}.`);
      else found.set(`${at}${key}`, value);
    }
  };
  walk(tree as Tree, "");
  return found;
}

interface CheckOptions {
  /** Paths whose text may be identical in both languages. */
  readonly same?: readonly string[];
  /** Arguments for texts that need more than marks: one list of arguments per call. */
  readonly values?: Readonly<Record<string, readonly (readonly unknown[])[]>>;
}

/** The faults of `other` compared with `model`, one line each. */
export function faultsOf(
  model: object,
  other: object,
  { same = [], values = {} }: CheckOptions = {},
): string[] {
  const [wanted, given] = [textsByPath(model), textsByPath(other)];
  const faults = [...given.keys()].filter((path) => !wanted.has(path)).map((path) => `${path}: no such text`);
  for (const [path, text] of wanted) {
    const translation = given.get(path);
    if (translation === undefined || typeof translation !== typeof text) {
      faults.push(`${path}: missing`);
      continue;
    }
    const [original, translated] = [sample(text, values[path]), sample(translation, values[path])];
    faults.push(...compare(original, translated).map((fault) => `${path}: ${fault}`));
    const alike = original.texts.join() === translated.texts.join();
    if (alike && !same.includes(path)) faults.push(`${path}: not translated`);
    if (!alike && same.includes(path))
      faults.push(`${path}: differs, and need not be allowed to be the same`);
  }
  return faults;
}

function compare(wanted: Sample, given: Sample): string[] {
  const faults: string[] = [];
  const whole = given.texts.join("|");
  if (given.texts.some((text) => text.trim() === "")) faults.push("empty");
  if (given.texts.some((text) => text !== text.trim() || / {2}|\n/.test(text))) faults.push("stray blanks");
  const missing = wanted.values.filter((value) => !given.values.includes(value));
  const extra = given.values.filter((value) => !wanted.values.includes(value));
  if (missing.length > 0) faults.push(`leaves out ${missing.join(", ")}`);
  if (extra.length > 0 || /undefined|NaN|\[object/.test(whole)) faults.push("has a value nobody gives it");
  return faults;
}

interface Sample {
  readonly texts: readonly string[];
  /**
   * The values in the texts: marks like "‹merchant›", "‹0›" for the first of several parameters, or the
   * given numbers.
   */
  readonly values: readonly string[];
}

/** Calls a text with the given values, or else with a mark for each parameter. */
function sample(text: Text, values?: readonly (readonly unknown[])[]): Sample {
  if (typeof text !== "function") return { texts: [text], values: [] };
  const texts = (values ?? [[0, 1, 2].map(mark)]).map((list) => text(...(list as never[])));
  const found = texts.join(" ").match(values === undefined ? /‹[^›]*›/g : /[0-9]+/g);
  return { texts, values: [...new Set(found)].sort() };
}

/** Replaces a text, a count, a list or an object of texts. */
function mark(name: number): unknown {
  return new Proxy([`‹${name}›`], {
    get: (list, key) => (typeof key === "symbol" || key in list ? Reflect.get(list, key) : `‹${key}›`),
  });
}

/** The texts that no file names, and whose branch no file passes on or reads with a computed key. */
export function unusedTexts(tree: object, files: readonly string[]): string[] {
  const source = files.map((file) => readFileSync(file, "utf8")).join("\n");
  const words = new Set(source.match(/\w+/g));
  return [...textsByPath(tree).keys()].filter((path) => {
    const [name = "", branch] = path.split(".").toReversed();
    const isPassedOn = branch !== undefined && new RegExp(`\\b${branch}\\b(?![.\\w])`).test(source);
    return !words.has(name) && !isPassedOn;
  });
}
