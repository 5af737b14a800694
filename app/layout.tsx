import type { Metadata, Viewport } from "next";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { textsOf } from "#components/checkout/texts.ts";
import { languageData } from "#lib/platform/languages/languages.ts";
import { COLORS } from "#lib/platform/look.ts";
import { ErrorTextsProvider } from "./error-texts.tsx";
import "./globals.css";
import { readPageEmbedding, readPageLanguage } from "./page-request.ts";

export const metadata: Metadata = {
  title: "Paylink",
  robots: { index: false, follow: false },
  // Browsers must not turn the digits of an amount into a phone link.
  formatDetection: { telephone: false, address: false, email: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: COLORS.light.card },
    { media: "(prefers-color-scheme: dark)", color: COLORS.dark.card },
  ],
};

export default async function Layout({ children }: { children: ReactNode }) {
  // Renders every page per request. A page rendered at build time has no nonce on its scripts.
  await connection();
  const [language, { parent, theme }] = await Promise.all([readPageLanguage(), readPageEmbedding()]);
  return (
    <html
      lang={language}
      dir={languageData(language).dir}
      data-theme={theme ?? undefined}
      data-framed={parent === null ? undefined : ""}
    >
      <body>
        {/* Browsers draw the page once it is whole. With the styles in it, they would draw each part as it comes, and parts would move. */}
        <link rel="expect" href="#whole" blocking="render" />
        <ErrorTextsProvider texts={textsOf(language).pageError}>{children}</ErrorTextsProvider>
        <div id="whole" />
      </body>
    </html>
  );
}
