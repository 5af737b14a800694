"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Texts } from "#components/checkout/texts.ts";

type ErrorTexts = Texts["pageError"];

const Words = createContext<ErrorTexts | null>(null);

/** Holds the words of the error page, which is drawn in the browser, where no other wording is. */
export function ErrorTextsProvider({ texts, children }: { texts: ErrorTexts; children?: ReactNode }) {
  return <Words value={texts}>{children}</Words>;
}

export function useErrorTexts(): ErrorTexts {
  const texts = useContext(Words);
  if (texts === null) throw new Error("the layout gives the error page its words");
  return texts;
}
