"use server";

import { fieldsOf, perform, readRequest } from "#app/console/session.ts";
import { updateMerchant } from "#lib/domain/merchants/update-merchant.ts";
import { setConsole } from "#lib/domain/payment-links/totals/change-console.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import {
  PROBLEMS,
  readSettings,
  SECTIONS,
  type SettingsProblem,
  type SettingsValues,
  showSettings,
} from "./read-settings.ts";

/** The fields of a form, and the result of the last save. */
export interface SettingsState {
  readonly values: SettingsValues;
  readonly problem: SettingsProblem | null;
  readonly isSaved: boolean;
}

/** Called by the forms of the settings: saves one part. A refused form keeps what was typed. */
export async function saveSettings(posted: FormData): Promise<SettingsState> {
  const read = fieldsOf(posted);
  const request = await readRequest(read, "settings");
  const section = SECTIONS.find((one) => one === read("section"));
  const changed =
    section === undefined
      ? await perform(setConsole, request, {
          timeZone: read("timeZone"),
          displayCurrency: read("displayCurrency") as CurrencyCode,
        })
      : await perform(updateMerchant, request, readSettings(section, read));
  if (changed.ok) return { values: showSettings(changed.merchant), problem: null, isSaved: true };
  const typed = [...posted.keys()].filter((name) => !name.startsWith("$"));
  const values = Object.fromEntries(typed.map((name) => [name, read(name)]));
  return { values, problem: PROBLEMS[changed.reason], isSaved: false };
}
