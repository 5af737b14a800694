/**
 * A worker of `tests/run.ts`: runs test files one after another in this process, with Node's own runner. They share
 * loaded modules, so a file costs what its tests do. Each file is a suite, so that its hooks are its own.
 */
import { suite } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { collectTests } from "./collect-tests.ts";
import type { FileResult, TestResult } from "./results.ts";

/** Variables that a library sets when it is loaded: sharp. */
const SET_BY_LIBRARIES: ReadonlySet<string> = new Set(["VIPSHOME"]);

/** Functions that tests replace for a while. */
const readReplaceable = () => ({
  "Math.random": Math.random,
  "performance.now": performance.now,
  "Date.now": Date.now,
  Date: globalThis.Date,
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  fetch: globalThis.fetch,
  WebSocket: globalThis.WebSocket,
});

/** The globals of a page, which tests/support/open-page.ts sets for good. A long file has the process for itself. */
const readPage = (path: string) =>
  path.includes("/tests/long/")
    ? {}
    : { window: Reflect.get(globalThis, "window"), document: Reflect.get(globalThis, "document") };

/** Node's runner fails a test for such an error while it runs, and reports nothing of one that comes when it has ended. */
const uncaught: unknown[] = [];
for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error: unknown) => uncaught.push(error));

/** Runs one file: its absolute path. */
async function runFile(path: string): Promise<FileResult> {
  const started = performance.now();
  const env = { ...process.env };
  const readGlobals = () => ({ ...readReplaceable(), ...readPage(path) });
  const before: Readonly<Record<string, unknown>> = readGlobals();
  const collected = collectTests(path);
  await suite(path, async () => {
    await import(pathToFileURL(path).href);
  });
  const tests: TestResult[] = [...(await collected)];
  // Node looks for promises that nobody waits for at the end of a turn.
  await turn();
  for (const error of uncaught.splice(0))
    tests.push({ name: "leaves no error uncaught", ms: 0, status: "failed", error: inspect(error) });
  const after = Object.entries(readGlobals());
  const replaced = after.filter(([name, value]) => before[name] !== value);
  const changed = [...restoreVariables(env), ...replaced.map(([name]) => name)];
  if (changed.length > 0) {
    const error = `The file leaves environment variables or globals changed: ${changed.join(", ")}.`;
    tests.push({ name: "leaves nothing behind", ms: 0, status: "failed", error });
  }
  return {
    file: path,
    ms: Math.round(performance.now() - started),
    tests,
  };
}

/** Restores the environment for the next file. Returns the names of variables that had changed. */
function restoreVariables(before: Readonly<NodeJS.ProcessEnv>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)]);
  const changed = [...names].filter(
    (name) => before[name] !== process.env[name] && !SET_BY_LIBRARIES.has(name),
  );
  for (const name of changed) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  return changed;
}

process.on("message", async (path: string) => {
  process.send?.(await runFile(path));
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
