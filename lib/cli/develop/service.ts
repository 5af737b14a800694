import { parseApiKey } from "#lib/domain/merchants/api-keys.ts";
import { type Cli, CommandRefusal } from "../cli.ts";

/** A running Paylink and a key for it: all that the commands for developers of shops work with. They open no database. */
export interface Service {
  /** "https://pay.example.com", without a path. */
  readonly origin: string;
  readonly key: string;
  readonly env: "live" | "test";
}

/** Text of the option `--url`, which all of these commands have. */
export const URL_OPTION = ["--url <url>", "address of Paylink; else PAYLINK_URL"] as const;

/** Reads the address from the option or PAYLINK_URL, and the key from PAYLINK_KEY alone: other users see the arguments of a process. */
export function readService(cli: Cli, { url }: { readonly url?: string }): Service {
  const address = url ?? cli.env.PAYLINK_URL ?? "";
  if (address === "")
    throw new CommandRefusal("the address of Paylink is missing: give --url, or set PAYLINK_URL");
  const { protocol, origin } = URL.canParse(address) ? new URL(address) : { protocol: "", origin: "" };
  if (protocol !== "http:" && protocol !== "https:")
    throw new CommandRefusal("the address of Paylink is not an http or https URL");
  const key = cli.env.PAYLINK_KEY?.trim() ?? "";
  if (key === "") throw new CommandRefusal("the API key is missing: set PAYLINK_KEY");
  const env = parseApiKey(key)?.env;
  if (env === undefined) throw new CommandRefusal("PAYLINK_KEY is incomplete or mistyped");
  return { origin, key, env };
}

/** The same for a command that works in the test environment alone. */
export function readTestService(cli: Cli, options: { readonly url?: string }): Service {
  const service = readService(cli, options);
  if (service.env === "test") return service;
  throw new CommandRefusal("PAYLINK_KEY is a live key: this command accepts test keys only (pl_test_…)");
}
