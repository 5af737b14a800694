import type { FrameProps, Section } from "#components/console/console-frame.tsx";
import { type Action, may } from "#lib/domain/authority/role-rules.ts";
import type { Desk } from "../session.ts";

const SECTIONS: readonly (readonly [Section, string, Action])[] = [
  ["overview", "Overview", "payments.view"],
  ["payments", "Payments", "payments.view"],
  ["new", "New link", "links.create"],
  ["forms", "Forms", "forms.view"],
  ["customers", "Customers", "customers.view"],
  ["money", "Money", "money.view"],
  ["developers", "Developers", "developers.view"],
  ["members", "Members", "members.view"],
  ["settings", "Settings", "settings.view"],
];

/** The frame around a page: its sections are those that the person may open. */
export function frameOf({ signedIn, workplace, env, page }: Desk): FrameProps {
  const sections = SECTIONS.flatMap(([name, text, action]) =>
    may(workplace.role, action) ? ([[name, text]] as const) : [],
  );
  return { workplace, env, personName: signedIn.name, sections, page };
}
