import { readFileSync } from "node:fs";
import ts from "typescript";

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

/**
 * The texts that no file uses. A use is what follows `texts.`, `x.texts.` or `textsOf(…).`, or a name
 * destructured from them. A computed key, or a branch that is passed on, uses all texts below it.
 */
export function unusedTexts(tree: object, files: readonly string[]): string[] {
  const used = new Set(files.flatMap((file) => usesIn(file, readFileSync(file, "utf8"))));
  return [...textsByPath(tree).keys()].filter((path) => {
    const parts = path.split(".");
    const above = parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join(".")}.*`);
    return !used.has(path) && !above.some((branch) => used.has(branch));
  });
}

function usesIn(file: string, source: string): string[] {
  const uses: string[] = [];
  const bound = new Map([["texts", ""]]);
  const join = (path: string, key: string) => (path === "" ? key : `${path}.${key}`);
  const use = (path: string) => {
    uses.push(path);
    return path;
  };

  /** The path of an expression, or null when it is not part of the texts. */
  const pathOf = (node: ts.Expression): string | null => {
    if (ts.isIdentifier(node)) return bound.get(node.text) ?? null;
    if (ts.isCallExpression(node)) return node.expression.getText().endsWith("textsOf") ? "" : null;
    if (ts.isPropertyAccessExpression(node)) {
      const path = pathOf(node.expression);
      if (path !== null) return join(path, node.name.text);
      return node.name.text === "texts" ? "" : null;
    }
    return null;
  };

  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
      const path = pathOf(node.initializer);
      if (path !== null && ts.isIdentifier(node.name)) bound.set(node.name.text, path);
      if (path !== null && ts.isObjectBindingPattern(node.name)) {
        for (const element of node.name.elements) {
          const key = (element.propertyName ?? element.name).getText();
          bound.set(element.name.getText(), use(join(path, key)));
        }
      }
    }
    if (ts.isElementAccessExpression(node)) {
      const path = pathOf(node.expression);
      if (path !== null) use(`${path}.*`);
    }
    if (ts.isPropertyAccessExpression(node)) {
      const path = pathOf(node);
      const onward = ts.isPropertyAccessExpression(node.parent) || ts.isElementAccessExpression(node.parent);
      const unpacked = ts.isVariableDeclaration(node.parent);
      if (path) use(path);
      if (path && !onward && !unpacked) use(`${path}.*`);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return uses;
}
