import assert from "node:assert/strict";
import { test } from "node:test";
import { listVariablesOf, READ_NAMES } from "#lib/server/variables/names.ts";
import { problemsOf } from "../config-problems.ts";

/** Variables that accept any text. */
const FREE =
  /^(BACKUP_DIR|DATA_DIR|HOST|OPEN_EXCHANGE_RATES_APP_ID|COINGECKO_(PRO_)?API_KEY|(LIVE|TEST)_\w+_OWN_ADDRESSES)$/;

test("a wrong text gets one message, which begins with the variable's name and leaves the text out", () => {
  const problems = problemsOf(Object.fromEntries(READ_NAMES.map((name) => [name, "hunter2"])));
  const named = problems.map((line) => /^([A-Z0-9_]+) must /.exec(line)?.[1] ?? line);
  assert.deepEqual(named.sort(), READ_NAMES.filter((name) => !FREE.test(name)).sort());
  assert.equal(problems.join().includes("hunter2"), false);
});

test("the demo passes on to its server these variables", () => {
  const names = listVariablesOf("demo").map((name) => name.replace(/^(LIVE|TEST)_[A-Z0-9]+_/, ""));
  assert.deepEqual(
    [...new Set(names)].sort(),
    (
      "ACCOUNT CHAIN CHAIN_ID CONFIRM_GRACE_HOURS DATA_DIR FIXED_RATES GREENFIELD LOG_LEVEL PAYMENT_URL PORT PUBLIC_URL " +
      "QUOTE_MINUTES RATE_LIMIT RPC_BUDGET RPC_URL SANDBOX TRUSTED_PROXIES WEBHOOK_ALLOW_CIDRS XPUB ZMQ_URL"
    ).split(" "),
  );
});
