import assert from "node:assert/strict";
import { test } from "node:test";
import { findUnknown } from "#lib/server/variables/find-unknown.ts";
import { VARIABLE_NAMES } from "#lib/server/variables/names.ts";

test("names variables that are almost ours", () => {
  const env = {
    ...{ PUBLIC_URI: "x", SMTP_URI: "x", TRUSTED_PROXY: "x", secret_key: "x", LOGLEVEL: "x", MIAL_FROM: "x" },
    ...{ LIVE_BEP20_RCP_URL: "x", TRUSTED_PROXIS: "x" },
  };
  assert.deepEqual(findUnknown(env, []), [
    "PUBLIC_URI (PUBLIC_URL?)",
    "SMTP_URI (SMTP_URL?)",
    "secret_key (SECRET_KEY?)",
    "LOGLEVEL (LOG_LEVEL?)",
    "MIAL_FROM (MAIL_FROM?)",
    "LIVE_BEP20_RCP_URL (LIVE_BEP20_RPC_URL?)",
    "TRUSTED_PROXIS (TRUSTED_PROXIES?)",
  ]);
});

test("names no variable of the program, and none that systems set", () => {
  const own = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, "x"]));
  const system =
    "HOME USER PATH LANG TERM SHELL PWD HOSTNAME LOGNAME MAIL NODE_ENV TZ TMPDIR SUDO_USER".split(" ");
  const others = "POSTGRES_PASSWORD KUBERNETES_PORT NODE_OPTIONS npm_config_cache INVOCATION_ID LC_ALL".split(
    " ",
  );
  const given = Object.fromEntries([...system, ...others].map((name) => [name, "x"]));
  assert.deepEqual(findUnknown({ ...own, ...given }, []), []);
});

test("names every unknown variable of our env file, but none of the system", () => {
  const names =
    "LOG_LEVEL TZ NODE_OPTIONS HTTPS_PROXY PGSSLMODE COMPOSE_PROJECT_NAME APP_PASSWORD TURBO".split(" ");
  const env = Object.fromEntries([...names, "OF_THE_SYSTEM"].map((name) => [name, "x"]));
  assert.deepEqual(findUnknown(env, names), ["TURBO"]);
});
