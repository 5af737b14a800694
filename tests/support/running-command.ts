import { EventEmitter } from "node:events";
import { Readable, Writable } from "node:stream";
import { runCommand } from "#lib/cli/run-command.ts";
import { keepLog, keepSecretsOf } from "./kept-logs.ts";

/** Starts a command in this process that runs until a signal ends it. What it prints can be read meanwhile. */
export function startCommand(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const printed = { stdout: "", stderr: "" };
  const into = (name: "stdout" | "stderr") =>
    new Writable({
      decodeStrings: false,
      write(part, _encoding, done) {
        printed[name] += part;
        done();
      },
    });
  const process = new EventEmitter() as unknown as NodeJS.Process;
  const ended = runCommand({
    ...{ args, env, process, stdin: Readable.from([]) },
    ...{ stdout: into("stdout"), stderr: into("stderr") },
  }).then((status) => {
    keepLog("cli", printed.stderr);
    keepSecretsOf(env);
    return status;
  });
  return {
    printed,
    /** Resolves to the exit status. */
    ended,
    /** Sends Ctrl-C and resolves to the exit status. */
    interrupt: () => {
      process.emit("SIGINT");
      return ended;
    },
  };
}
