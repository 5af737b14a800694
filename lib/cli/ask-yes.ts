import { type Cli, CommandRefusal } from "./cli.ts";
import { readLine } from "./read-line.ts";

/** Asks a question on the terminal. Throws a CommandRefusal unless "yes" is typed. Without a terminal, the line comes from standard input. */
export async function askYes(cli: Cli, question: string): Promise<void> {
  cli.stderr.write(question);
  const line = await readLine(cli.stdin);
  if (line?.trim() === "yes") return;
  cli.stderr.write("\n");
  throw new CommandRefusal('nothing was signed: the answer was not "yes". Scripts add --yes');
}
