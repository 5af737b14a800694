import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** Asks for a line on the terminal and does not show what is typed. Without a terminal, the line comes from standard input. */
export function askSecret(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: silent,
    terminal: process.stdin.isTTY === true,
  });
  return new Promise((resolve) => {
    lines.once("line", (line) => {
      resolve(line);
      lines.close();
    });
    // The end of the input without a line.
    lines.once("close", () => {
      process.stderr.write("\n");
      resolve("");
    });
  });
}
