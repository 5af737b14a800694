/** `npm run -s paylink -- …`: the operator's command as a process. */
import "#lib/platform/quick-start.mjs";
import { loadEnvFile } from "#lib/server/load-env-file.ts";
import { runCommand } from "./run-command.ts";

async function main(): Promise<number> {
  const { argv, env, stdout, stderr } = process;
  const ownEnv = { ...env };
  // Without it the command would use another database.
  const envFile = loadEnvFile(".env");
  if (envFile === null) {
    stderr.write("this user may not read .env: run the command as its owner\n");
    return 1;
  }
  return runCommand({
    args: argv.slice(2),
    env,
    envFile,
    ownEnv,
    // Not opened before a command asks: few do.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    process,
  });
}

const status = await main();
// Open connections to nodes would keep the process alive for seconds. The output is flushed first.
process.stdout.write("", () => process.exit(status));
