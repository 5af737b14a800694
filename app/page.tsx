import type { Metadata } from "next";
import { HomePage } from "#components/home/home-page.tsx";
import { hostTextsOf } from "#components/home/texts.ts";
import { getServices } from "#lib/web/services.ts";
import { readPageLanguage } from "./page-request.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: hostTextsOf(await readPageLanguage()).home.title };
}

/** The page that says what this host is. It is rendered once for all visitors (lib/web/page/kept-pages.ts). */
export default async function Page() {
  const { config } = getServices();
  const texts = hostTextsOf(await readPageLanguage());
  // A console with a port of its own is not for the public.
  return <HomePage texts={texts} consoleUrl={config.consolePort === null ? config.consoleUrl : null} />;
}
