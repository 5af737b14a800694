import type { Cli } from "./cli.ts";
import { readLine } from "./read-line.ts";

/** Asks for a line on the terminal and does not show what is typed. Without a terminal, the line comes from standard input. */
export async function askSecret(cli: Cli, question: string): Promise<string> {
  cli.stderr.write(question);
  const line = await readLine(cli.stdin, { hidden: true });
  cli.stderr.write("\n");
  return line ?? "";
}
