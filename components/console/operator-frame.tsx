import type { ReactNode } from "react";
import type { Env } from "#lib/chains/network-data.ts";
import { NavIcon } from "./nav-icon.tsx";
import { Notice } from "./notice.tsx";
import type { NoticeCode } from "./notices.ts";

const SECTIONS = [
  ["", "Networks", "networks"],
  ["/merchants", "Merchants", "merchants"],
  ["/settings", "Settings", "settings"],
  ["/unmatched", "Unmatched deposits", "unmatched"],
  ["/withdrawals", "Waiting withdrawals", "withdrawals"],
  ["/signer", "Signer", "signer"],
  ["/audit", "Audit log", "audit"],
] as const;

/** The frame of the operator's own pages. */
export function OperatorFrame({
  section,
  notice = null,
  children,
}: {
  section: (typeof SECTIONS)[number][1];
  notice?: NoticeCode | null;
  children: ReactNode;
}) {
  return (
    <div className="mx-auto grid w-full max-w-6xl grow content-start gap-4 p-3 sm:p-6 md:grid-cols-[12rem_minmax(0,1fr)] md:gap-8">
      <header className="side-bar">
        <p className="font-semibold md:px-3">
          This installation
          <span className="block text-sm font-normal text-muted">operator</span>
        </p>
        <nav aria-label="Installation" className="nav-bar">
          {SECTIONS.map(([path, text, icon]) => (
            <a
              key={path}
              href={`/console/operator${path}`}
              className="nav-item"
              aria-current={text === section ? "page" : undefined}
            >
              <NavIcon name={icon} />
              {text}
            </a>
          ))}
          <a href="/console/account" className="nav-item nav-person">
            <NavIcon name="account" />
            Your account
          </a>
        </nav>
      </header>
      <main className="grid min-w-0 content-start gap-4">
        <h1 className="text-2xl font-semibold tracking-tight">{section}</h1>
        <Notice code={notice} />
        {children}
      </main>
    </div>
  );
}

/** Leads to the same page of the other environment. */
export function EnvTabs({ env }: { env: Env }) {
  return (
    <nav aria-label="Environment" className="flex w-fit gap-0.5 rounded-xl border border-line bg-card p-0.5">
      {(["live", "test"] as const).map((of) => (
        <a
          key={of}
          href={`?env=${of}`}
          className="nav-item min-h-8 text-xs"
          aria-current={of === env ? "true" : undefined}
        >
          {of === "live" ? "Live" : "Test"}
        </a>
      ))}
    </nav>
  );
}
