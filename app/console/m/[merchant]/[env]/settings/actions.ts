"use server";

import { actorOf } from "#lib/domain/authority/actor.ts";
import { changeOwnProfile } from "#lib/domain/merchants/own-profile.ts";
import { getServices } from "#lib/web/services.ts";
import { fieldsOf, requireDesk, requireRecent } from "../../../../session.ts";
import {
  problemOf,
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
  const desk = await requireDesk({ merchant: read("merchant"), env: read("env") }, "settings.change");
  requireRecent(desk.signedIn, `${desk.base}/settings`);
  const { signedIn, workplace } = desk;
  const by = { actor: actorOf(signedIn.userId), merchantId: workplace.merchantId };
  const changes = readSettings(SECTIONS.find((one) => one === read("section")) ?? "websites", read);
  const changed = await getServices().database.db.transaction((tx) =>
    changeOwnProfile(tx, by, changes, new Date()),
  );
  if (changed.ok) return { values: showSettings(changed.merchant), problem: null, isSaved: true };
  const typed = [...posted.keys()].filter((name) => !name.startsWith("$"));
  const values = Object.fromEntries(typed.map((name) => [name, read(name)]));
  return { values, problem: problemOf(changed.reason), isSaved: false };
}
