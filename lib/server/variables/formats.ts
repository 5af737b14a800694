/** Schemas of texts that several variables share. Each error is the rest of a sentence that begins with the variable's name. */
import * as z from "zod";
import { parseIpRange } from "#lib/platform/http/ip-ranges.ts";

export const anyText = z.string();

export function isUrl(value: string, protocols: readonly string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}

/** Parts between commas, without spaces around them. */
export const splitList = (value: string): string[] => value.split(",").map((part) => part.trim());

export const postgresUrl = anyText.refine(
  (value) => isUrl(value, ["postgres:", "postgresql:"]),
  "must be a URL, postgres://user:password@host:5432/name",
);

/** An origin with an optional path, stored without its trailing slash. */
export const baseUrl = anyText
  .refine((value) => {
    if (!isUrl(value, ["http:", "https:"])) return false;
    const { username, password, search, hash } = new URL(value);
    return `${username}${password}${search}${hash}` === "";
  }, "must be an http or https URL without user, query and fragment")
  .transform((value) => new URL(value).href.replace(/\/+$/, ""));

/** A host without a path: the pages, the API and the socket are at the root of it. */
export const origin = baseUrl.refine(
  (value) => new URL(value).pathname === "/",
  "must be an origin without a path",
);

export function wholeNumber(minimum: number, maximum: number) {
  return anyText
    .refine((value) => /^[0-9]{1,9}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum, {
      error: `must be a whole number from ${minimum} to ${maximum}`,
    })
    .transform(Number);
}

/** A port of its own. 0 means none. */
export const ownPort = wholeNumber(0, 65_535).transform((port) => (port === 0 ? null : port));

export const onOrOff = z
  .enum(["on", "off"], { error: "must be on or off" })
  .transform((value) => value === "on");

export const addressRanges = anyText
  .transform(splitList)
  .refine(
    (entries) => entries.every((entry) => parseIpRange(entry) !== null),
    "must be IP addresses or CIDR ranges, separated by commas",
  );
