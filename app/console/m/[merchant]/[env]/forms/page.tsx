import type { Metadata } from "next";
import { frameOf } from "#app/console/m/frame.ts";
import { readId } from "#app/console/read-id.ts";
import { requireDesk } from "#app/console/session.ts";
import { priceText } from "#components/checkout/money-text.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { readNotice } from "#components/console/notices.ts";
import { may } from "#lib/domain/authority/role-rules.ts";
import type { FormView } from "#lib/domain/forms/types.ts";
import { listForms } from "#lib/domain/forms/view-form.ts";
import { getServices } from "#lib/web/services.ts";

export const metadata: Metadata = { title: "Forms" };

const PAGE_SIZE = 50;

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const desk = await requireDesk(await params, "forms.view");
  const { before: given, notice } = await searchParams;
  const { config, database } = getServices();
  const owner = { merchantId: desk.workplace.merchantId, env: desk.env };
  const range = { before: readId(given), limit: PAGE_SIZE + 1, archived: true };
  const found = await listForms(database.db, config, owner, range);
  const shown = found.slice(0, PAGE_SIZE);
  const mayChange = may(desk.workplace.role, "forms.change");
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="forms"
      title="Forms"
      notice={readNotice(notice)}
      actions={
        mayChange && (
          <a href={`${desk.base}/forms/new`} className="button-small">
            New form
          </a>
        )
      }
    >
      {shown.length === 0 ? (
        <p className="panel text-sm text-muted">
          A form is a page that sells without a server of yours: a button on your website, a link to share, or
          a till on your counter. Make the first one.
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-2xl border border-line bg-card">
          {shown.map((form) => (
            <FormLine key={form.code} form={form} href={`${desk.base}/forms/${form.code}`} />
          ))}
        </ul>
      )}
      {found.length > PAGE_SIZE && (
        <a href={`?before=${shown.at(-1)?.id}`} className="button-quiet justify-self-center">
          Older forms
        </a>
      )}
    </ConsoleFrame>
  );
}

function FormLine({ form, href }: { form: FormView; href: string }) {
  const { title, currency, amount, taken, stock, archivedAt } = form;
  return (
    <li className="grid gap-1 p-4 text-sm">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <a href={href} className="link min-w-0 font-medium break-words">
          <bdi>{title}</bdi>
        </a>
        <span
          className={`badge ${archivedAt === null ? "bg-good-soft text-good" : "border border-line text-muted"}`}
        >
          {archivedAt === null ? "Open" : "Closed"}
        </span>
      </p>
      <p className="flex flex-wrap justify-between gap-x-4 text-muted">
        <span>{amount === null ? "The customer chooses" : priceText(amount, currency, "en")}</span>
        <span className="tabular-nums">
          {priceText(taken.amount, currency, "en")} asked
          {stock === null ? "" : `, ${taken.quantity} of ${stock} taken`}
        </span>
      </p>
    </li>
  );
}
