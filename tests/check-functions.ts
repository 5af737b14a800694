/**
 * Checks the size of functions in lib, app, components and packages: at most 70 lines without blank ones, at most four parameters.
 * It also rejects a literal that is spread into a literal (`{ ...{ a, b } }`), which only hides lines from the formatter.
 * biome's noExcessiveLinesPerFunction counts the lines of a body only and does not know parameters.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

const MAX_LINES = 70;
const MAX_PARAMETERS = 4;
const FOLDERS = ["lib", "app", "components", "packages"];
/** Generated files. */
const EXCLUDED = /^packages\/client\/src\/(schema|decimals)\.ts$/;

/** The violations of one file, each as "file:line: what is wrong". */
export function findViolations(file: string, text: string): string[] {
  const kind = file.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const violations: string[] = [];
  const report = (node: ts.Node, problem: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    violations.push(`${file}:${line + 1}: ${problem}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const name = nameOf(node);
      const lines = node
        .getText(source)
        .split("\n")
        .filter((line) => line.trim() !== "").length;
      if (lines > MAX_LINES) report(node, `${name} has ${lines} lines, at most ${MAX_LINES} are allowed`);
      const parameters = countParameters(node);
      if (parameters > MAX_PARAMETERS) {
        report(node, `${name} has ${parameters} parameters, at most ${MAX_PARAMETERS} are allowed`);
      }
    }
    if (isSpreadLiteral(node)) report(node, "a literal is spread into a literal: write its members directly");
    ts.forEachChild(node, visit);
  };
  visit(source);
  return violations;
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name !== undefined) return node.name.getText();
  return ts.isVariableDeclaration(node.parent) ? node.parent.name.getText() : "a function";
}

/** A rest parameter that is taken apart (`...[a, b]`) counts as its elements. */
function countParameters({ parameters }: ts.SignatureDeclaration): number {
  return parameters.reduce((count, { name }) => {
    return count + (ts.isArrayBindingPattern(name) ? name.elements.length : 1);
  }, 0);
}

function isSpreadLiteral(node: ts.Node): boolean {
  if (!ts.isSpreadAssignment(node) && !ts.isSpreadElement(node)) return false;
  return ts.isObjectLiteralExpression(node.expression) || ts.isArrayLiteralExpression(node.expression);
}

/** A violation of each kind must be found, or the check proves nothing. */
function checkPlanted(): void {
  const body = "  work();\n".repeat(MAX_LINES - 1);
  const planted = [
    `function long() {\n${body}}\n`,
    `const long = () => {\n${body}};\n`,
    `class Long {\n  long() {\n${body}  }\n}\n`,
    `const outer = { nested: function () {\n${body}} };\n`,
    "function wide(a: 1, b: 2, c: 3, d: 4, e: 5) {}\n",
    "function hidden(...[a, b, c, d, e]: never[]) {}\n",
    "const tricked = { ...{ a, b }, c };\n",
    "const tricked = [...[a, b], c];\n",
  ];
  const found = planted.map((text) => findViolations("planted.ts", text).length);
  if (found.some((count) => count !== 1)) throw new Error(`planted violations found: ${found.join()}`);
  const allowed = `function short(a, b, c, d) {\n\n${body.replace("  work();\n", "")}}\n const plain = { ...a };\n`;
  const wrong = findViolations("allowed.ts", allowed);
  if (wrong.length > 0) throw new Error(`an allowed function was rejected: ${wrong.join()}`);
}

function main(): void {
  checkPlanted();
  const root = dirname(import.meta.dirname);
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...FOLDERS], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\n")
    .filter((file) => /\.tsx?$/.test(file) && !EXCLUDED.test(file));
  const violations = files.flatMap((file) => findViolations(file, readFileSync(join(root, file), "utf8")));
  for (const violation of violations) console.error(violation);
  if (violations.length > 0) {
    console.error(`${violations.length} violations. Split the function, or pass one named object.`);
    process.exit(1);
  }
  console.log(`${files.length} files: every function is short enough`);
}

if (import.meta.main) main();
