import type { ReactNode } from "react";
import type { Env } from "#lib/chains/network-data.ts";
import type { Workplace } from "#lib/domain/members/types.ts";
import { Keyboard } from "./keyboard.tsx";
import { ZonedTimes } from "./local-time.tsx";
import { NavIcon } from "./nav-icon.tsx";
import { Notice } from "./notice.tsx";
import type { NoticeCode } from "./notices.ts";
import { pageOfBoth } from "./page-of-both.ts";

export type Section =
  | "overview"
  | "payments"
  | "new"
  | "forms"
  | "customers"
  | "money"
  | "developers"
  | "members"
  | "settings";

/** The frame of every page of a merchant's console. */
export interface FrameProps {
  readonly workplace: Workplace;
  readonly env: Env;
  readonly personName: string;
  /** The sections that the person may open, with their names. */
  readonly sections: readonly (readonly [Section, string])[];
  /** The page below "/console/m/…/test/", which Live and Test keep. */
  readonly page: string;
}

/** The frame of a merchant's console: where one is, where one can go, and the page. */
export function ConsoleFrame({
  frame,
  section,
  title,
  notice = null,
  badge,
  actions,
  children,
}: {
  frame: FrameProps;
  section: Section;
  title: string;
  notice?: NoticeCode | null;
  /** After the title. */
  badge?: ReactNode;
  /** On the other side of the title. */
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      {frame.env === "test" && (
        <aside className="bg-warn-soft px-4 py-1 text-center text-sm font-medium text-warn forced-colors:border-b">
          Test environment. No real money moves.
        </aside>
      )}
      <div className="mx-auto grid w-full max-w-6xl grow content-start gap-4 p-3 sm:p-6 md:grid-cols-[12rem_minmax(0,1fr)] md:gap-8">
        <SideBar frame={frame} section={section} />
        <main className="grid min-w-0 content-start gap-4">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <div className="flex flex-wrap items-center gap-3">
              <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
              {badge}
            </div>
            {actions}
          </div>
          <Notice code={notice} />
          <ZonedTimes timeZone={frame.workplace.timeZone}>{children}</ZonedTimes>
        </main>
      </div>
    </>
  );
}

function SideBar({ frame, section }: { frame: FrameProps; section: Section }) {
  const { workplace, env, personName, sections, page } = frame;
  const base = (of: Env) => `/console/m/${workplace.code}/${of}`;
  return (
    <header className="side-bar">
      <div className="flex flex-wrap items-center justify-between gap-2 md:grid">
        <a href="/console" className="font-semibold break-words md:px-3">
          <bdi>{workplace.name}</bdi>
        </a>
        <nav
          aria-label="Environment"
          className="flex w-fit gap-0.5 rounded-xl border border-line bg-card p-0.5 md:mx-3"
        >
          {(["live", "test"] as const).map((of) => (
            <a
              key={of}
              href={`${base(of)}/${pageOfBoth(page)}`}
              className="nav-item min-h-8 text-xs"
              aria-current={of === env ? "true" : undefined}
            >
              {of === "live" ? "Live" : "Test"}
            </a>
          ))}
        </nav>
      </div>
      <nav aria-label="Console" className="nav-bar">
        {sections.map(([name, text]) => (
          <a
            key={name}
            href={`${base(env)}/${name}`}
            className="nav-item"
            aria-current={name === section ? "page" : undefined}
          >
            <NavIcon name={name} />
            {text}
          </a>
        ))}
        <a href="/console/account" className="nav-item nav-person">
          <NavIcon name="account" />
          <span className="flex min-w-0 items-baseline gap-2 md:grid md:gap-0">
            <bdi className="truncate">{personName}</bdi>
            <span className="text-xs font-normal">{workplace.role}</span>
          </span>
        </a>
      </nav>
      <Keyboard base={base(env)} sections={sections} />
    </header>
  );
}
