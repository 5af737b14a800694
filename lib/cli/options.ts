import { InvalidArgumentError, Option } from "commander";
import { ENVS, type Env } from "#lib/networks/networks.ts";

/** `--env live|test`, live when absent. */
export function envOption(): Option {
  return new Option("--env <env>", "environment").choices(ENVS).default("live" satisfies Env);
}

export function wholeNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

/** ISO 8601; without a zone it is UTC. */
export function time(text: string): Date {
  const shape = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(text);
  const date = new Date(shape !== null && text.includes("T") && shape[1] === undefined ? `${text}Z` : text);
  if (shape === null || Number.isNaN(date.getTime())) {
    throw new InvalidArgumentError("It must be an ISO 8601 time, like 2026-12-31T12:00:00Z.");
  }
  return date;
}

/** "none", like an empty text, takes a setting away. */
export function textOrNone(text: string): string | null {
  return text === "" || text === "none" ? null : text;
}

export function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}
