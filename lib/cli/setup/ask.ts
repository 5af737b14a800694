import { PROGRAM_VARIABLES } from "#lib/server/variables/program-variables.ts";
import { parseText } from "#lib/server/variables/variable.ts";
import { type Cli, CommandRefusal } from "../cli.ts";
import { readLine } from "../read-line.ts";

/** An answer that cannot be used. The message says why, and the question comes again. */
export class WrongAnswer extends Error {}

/**
 * Asks until `check` accepts the answer, and returns what it made of it. An empty answer is the usual one. Throws
 * CommandRefusal at the end of the input.
 */
export async function ask<T>(
  cli: Cli,
  question: string,
  check: (answer: string) => T | Promise<T>,
  usual = "",
): Promise<T> {
  for (;;) {
    cli.stderr.write(`${question}${usual === "" ? "" : ` [${usual}]`}: `);
    const line = await readLine(cli.stdin);
    if (line === null) throw new CommandRefusal("\nthe answers ended: setup is not complete");
    try {
      return await check(line.trim() || usual);
    } catch (error) {
      if (!(error instanceof WrongAnswer)) throw error;
      cli.printMessage(`  ${error.message}`);
    }
  }
}

/** A check that accepts one of these words. */
export const oneOf =
  <Word extends string>(...words: readonly Word[]) =>
  (answer: string): Word => {
    const word = words.find((one) => one === answer.toLowerCase());
    if (word === undefined) throw new WrongAnswer(`Answer ${words.join(" or ")}.`);
    return word;
  };

export async function askYesOrNo(cli: Cli, question: string, usual: "yes" | "no"): Promise<boolean> {
  return (await ask(cli, question, oneOf("yes", "no"), usual)) === "yes";
}

/** Refuses a value that the server would refuse at its start. */
export function requireValid(name: keyof typeof PROGRAM_VARIABLES, text: string): void {
  const problems: string[] = [];
  parseText(name, PROGRAM_VARIABLES[name], { [name]: text }, problems);
  if (problems[0] !== undefined) throw new WrongAnswer(`${problems[0]}.`);
}
