import { createInterface } from "node:readline";
import { CommandRefusal } from "./run-command.ts";

/** Asks a question on the terminal. Throws a CommandRefusal unless "yes" is typed. Without a terminal, the line comes from standard input. */
export async function askYes(question: string): Promise<void> {
  process.stderr.write(question);
  const lines = createInterface({ input: process.stdin });
  let answer = "";
  for await (const line of lines) {
    answer = line.trim();
    break;
  }
  lines.close();
  if (answer === "yes") return;
  process.stderr.write("\n");
  throw new CommandRefusal('nothing was signed: the answer was not "yes". Scripts add --yes');
}
