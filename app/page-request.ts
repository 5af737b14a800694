import { headers } from "next/headers";
import { type LanguageCode, languageOrEnglish } from "#lib/platform/languages/languages.ts";
import type { Embedding } from "#lib/web/page/route.ts";

/** How this request's page is embedded, as the server determined it (lib/web/page/listener.ts). */
export async function readPageEmbedding(): Promise<Embedding> {
  const head = await headers();
  const theme = head.get("x-paylink-theme");
  return {
    parent: head.get("x-paylink-parent"),
    theme: theme === "light" || theme === "dark" ? theme : null,
  };
}

/**
 * The query parameters that every further URL of the page keeps, so that the page stays in the shop's frame
 * and theme.
 */
export function widgetParamsOf({ parent, theme }: Embedding): Readonly<Record<string, string>> {
  return { ...(parent !== null && { parent }), ...(theme !== null && { theme }) };
}

/** The language that the server chose for this request (lib/web/page/listener.ts). */
export async function readPageLanguage(): Promise<LanguageCode> {
  return languageOrEnglish((await headers()).get("x-paylink-language"));
}

/** True for a path of the console, also if it has no such page. */
export async function isConsoleRequest(): Promise<boolean> {
  return (await headers()).has("x-paylink-console");
}
