import { type CommandConfig, ConfigError } from "#lib/server/config.ts";
import { findOpenFiles } from "#lib/server/find-open-files.ts";
import { findUnknown } from "#lib/server/variables/find-unknown.ts";
import type { Cli } from "../cli.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

const SETTINGS = "docs/operate/settings.md has every variable";

/** Reads the environment as the server does. A configuration that cannot be used is null. */
export function checkEnvironment(cli: Cli): {
  readonly config: CommandConfig | null;
  readonly findings: readonly Finding[];
} {
  try {
    const config = cli.readConfigWithDemo();
    return { config, findings: [checkNames(cli), checkSecretKey(config), checkFiles(config)] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.problems.map((problem) =>
      failed("environment", problem, `Correct the variable in .env: ${SETTINGS}.`),
    );
    return { config: null, findings };
  }
}

function checkNames({ env, envFile }: Cli): Finding {
  const unknown = findUnknown(env, envFile ?? []);
  if (unknown.length === 0) return ok("environment", "every variable can be used");
  return warning(
    "environment",
    `these have no effect: ${unknown.join(", ")}`,
    `Correct their names or take them out: ${SETTINGS}.`,
  );
}

function checkSecretKey({ secretKey }: CommandConfig): Finding {
  if (secretKey !== null) return ok("secret key", "SECRET_KEY is set");
  return failed(
    "secret key",
    "SECRET_KEY is not set: web and worker do not start",
    "Set SECRET_KEY to the output of `openssl rand -base64 32`, and keep a copy apart from the database. If the database " +
      "has merchants already, it must be the key that they were made with.",
  );
}

function checkFiles({ dataDir }: CommandConfig): Finding {
  const open = findOpenFiles([".env", dataDir]);
  if (open.length === 0) return ok("files", "other users cannot read .env and DATA_DIR");
  return warning(
    "files",
    `other users of this machine can read ${open.join(" and ")}`,
    `They hold secrets: chmod go-rwx ${open.join(" ")}`,
  );
}
