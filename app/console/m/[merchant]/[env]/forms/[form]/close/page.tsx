import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { frameOf } from "#app/console/m/frame.ts";
import { requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { Facts } from "#components/console/facts.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { viewForm } from "#lib/domain/forms/view-form.ts";
import { findNewestOfForm } from "#lib/domain/payment-links/queries.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { getServices } from "#lib/web/services.ts";
import { endForm } from "../../actions.ts";

export const metadata: Metadata = { title: "Close a form" };

interface PageProps {
  params: Promise<{ merchant: string; env: string; form: string }>;
}

/** When a form last sold, before it is closed for good. */
export default async function Page({ params }: PageProps) {
  const { merchant, env, form: code } = await params;
  const desk = await requireDesk({ merchant, env }, "forms.change");
  const { config, database } = getServices();
  const owner = { merchantId: desk.workplace.merchantId, env: desk.env };
  const form = isRefid(code) ? await viewForm(database.db, config, code, owner) : null;
  if (form === null || form.archivedAt !== null) notFound();
  const sold = await findNewestOfForm(database.db, form.id);
  return (
    <ConsoleFrame frame={frameOf(desk)} section="forms" title={`Close ${form.title}?`}>
      <form action={endForm} className="panel max-w-xl">
        <Facts
          facts={[
            [
              "Its page",
              <span key="page" className="break-all">
                {form.url}
              </span>,
            ],
            ["Sold so far", form.taken.quantity.toLocaleString("en")],
            ["Last used", sold === null ? "never" : <LocalTime key="sold" at={sold} />],
          ]}
        />
        <p className="text-sm text-muted">
          Its page then says that it is closed, for good, and its devices sell no more. What it has sold can
          still be paid. To sell something else on the same page, change the form instead.
        </p>
        <PlaceFields of={{ merchant, env, form: code }} />
        <div className="flex flex-wrap gap-2">
          <a href={`${desk.base}/forms/${code}`} className="button-quiet">
            Keep it
          </a>
          <button type="submit" className="button-danger">
            Close the form
          </button>
        </div>
      </form>
    </ConsoleFrame>
  );
}
