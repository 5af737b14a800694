"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Texts } from "#components/checkout/texts.ts";

type ErrorTexts = Texts["pageError"];

const ErrorTextsContext = createContext<ErrorTexts | null>(null);

/** Provides the texts of the error page. That page is rendered in the browser, which has no other texts. */
export function ErrorTextsProvider({ texts, children }: { texts: ErrorTexts; children?: ReactNode }) {
  return <ErrorTextsContext value={texts}>{children}</ErrorTextsContext>;
}

export function useErrorTexts(): ErrorTexts {
  const texts = useContext(ErrorTextsContext);
  if (texts === null) throw new Error("the error page is not within ErrorTextsProvider");
  return texts;
}
