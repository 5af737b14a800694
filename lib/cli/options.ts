import { type Command, InvalidArgumentError, Option } from "commander";
import { ENVS, type Env } from "#lib/chains/network-data.ts";
import { parseAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";

/** `--env live|test`, live by default. */
export function envOption(): Option {
  return new Option("--env <env>", "environment").choices(ENVS).default("live" satisfies Env);
}

/** `--env` of a command whose reference names its environment. If it is given, it must be the right one. */
export function refidEnvOption(): Option {
  return new Option("--env <env>", "not needed; if given, it must be the reference's environment").choices(
    ENVS,
  );
}

export function parseWholeNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

/** 0 or 1. */
export function parseFlag(text: string): boolean {
  if (text !== "0" && text !== "1") throw new InvalidArgumentError("It must be 0 or 1.");
  return text === "1";
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** "90s", "30m", "24h", "7d" or "0", as milliseconds. */
export function parseDuration(text: string): number {
  const match = /^([0-9]{1,6})([smhd])$/.exec(text);
  if (text === "0") return 0;
  if (match === null) throw new InvalidArgumentError("It must be a time like 30m, 24h or 7d.");
  return Number(match[1]) * (UNIT_MS[match[2] ?? ""] ?? 0);
}

/** ISO 8601, UTC without a zone. */
export function parseTime(text: string): Date {
  const shape = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(text);
  const date = new Date(shape !== null && text.includes("T") && shape[1] === undefined ? `${text}Z` : text);
  if (shape === null || Number.isNaN(date.getTime())) {
    throw new InvalidArgumentError("It must be an ISO 8601 time, like 2026-12-31T12:00:00Z.");
  }
  return date;
}

/** "none" and an empty text remove a setting. */
export function parseTextOrNone(text: string): string | null {
  return text === "" || text === "none" ? null : text;
}

/** A whole number; "none" and an empty text remove a setting. Commander turns null into a text, so that "none" stays. */
export function parseNumberOrNone(text: string): number | "none" {
  return parseTextOrNone(text) === null ? "none" : parseWholeNumber(text);
}

export function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** An amount in whole tokens, as ledger units. Ends the command if it is not an amount. */
export function parseLedgerUnits(command: Command, amount: string, token: TokenCode): bigint {
  const { ledgerDecimals } = TOKENS[token];
  const parsed = parseAmount(amount, ledgerDecimals, 10n ** BigInt(15 + ledgerDecimals));
  if (parsed.ok) return parsed.units;
  return command.error(`error: an amount must be a number of at most ${ledgerDecimals} decimals`);
}
