import { english } from "./en.ts";

/** What is in English in every language until somebody has translated it. */
export const untranslated = {
  notInTime: english.notInTime,
  receipt: english.receipt,
};
