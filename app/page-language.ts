import { headers } from "next/headers";
import { isLanguageCode, type LanguageCode } from "#lib/platform/languages/languages.ts";

/** The language the server chose for this request (lib/web/page/listener.ts). */
export async function readPageLanguage(): Promise<LanguageCode> {
  const code = (await headers()).get("x-paylink-language") ?? "";
  return isLanguageCode(code) ? code : "en";
}
