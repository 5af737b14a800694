import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Call } from "./cli.ts";

type Input = Call["stdin"];
type NextLine = () => Promise<string | null>;

/** Inputs that are no terminals. Lines that arrive together belong to several questions. */
const inputs = new WeakMap<Input, NextLine>();

/** The next line of standard input, or null at its end. On a terminal with `hidden`, it does not show what is typed. */
export async function readLine(input: Input, { hidden = false } = {}): Promise<string | null> {
  if (input.isTTY === true) return readTyped(input, hidden);
  const next = inputs.get(input) ?? openLines(input);
  inputs.set(input, next);
  return next();
}

function openLines(input: Input): NextLine {
  const lines: string[] = [];
  let isEnded = false;
  let notify = () => {};
  const reader = createInterface({ input });
  reader.on("line", (line) => {
    lines.push(line);
    notify();
  });
  reader.on("close", () => {
    isEnded = true;
    notify();
  });
  return async () => {
    if (lines.length === 0 && !isEnded) {
      reader.resume();
      await new Promise<void>((resolve) => {
        notify = resolve;
      });
      // Between questions the input does not keep the process alive.
      if (!isEnded) reader.pause();
    }
    return lines.shift() ?? null;
  };
}

/** A reader of its own for each question: one that stays would take what is typed for the next. */
function readTyped(input: Input, hidden: boolean): Promise<string | null> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface(hidden ? { input, output: silent, terminal: true } : { input });
  return new Promise((resolve) => {
    reader.once("line", (line) => {
      resolve(line);
      reader.close();
    });
    reader.once("close", () => resolve(null));
  });
}
