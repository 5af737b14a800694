import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { readLine } from "#lib/cli/read-line.ts";

test("on a terminal each answer belongs to its own question, whether it is shown or hidden", async () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  const answers: (string | null)[] = [];
  for (const [hidden, typed] of [
    [false, "yes"],
    [true, "abandon ability able"],
    [false, "test"],
    [true, "passphrase"],
  ] as const) {
    const answer = readLine(terminal, { hidden });
    terminal.write(`${typed}\n`);
    answers.push(await answer);
  }
  assert.deepEqual(answers, ["yes", "abandon ability able", "test", "passphrase"]);
  const last = readLine(terminal);
  terminal.end();
  assert.equal(await last, null);
});
