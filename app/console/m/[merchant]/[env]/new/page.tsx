import type { Metadata } from "next";
import { type Draft, readDraft } from "#app/console/draft.ts";
import { frameOf } from "#app/console/m/frame.ts";
import { requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { readNotice } from "#components/console/notices.ts";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { Field } from "#components/console/plain-page.tsx";
import { MAX_DESCRIPTION } from "#lib/domain/payment-links/order-rules.ts";
import { listLinkRows } from "#lib/domain/payment-links/queries.ts";
import { newRefid } from "#lib/domain/payment-links/refid.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { getServices } from "#lib/web/services.ts";
import { createLink } from "./actions.ts";

export const metadata: Metadata = { title: "New link" };

const HOURS = [
  [2, "2 hours"],
  [24, "1 day"],
  [72, "3 days"],
  [720, "30 days"],
] as const;

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const { merchant, env } = await params;
  const desk = await requireDesk({ merchant, env }, "links.create");
  const { notice } = await searchParams;
  const { database, networks } = getServices();
  const filter = {
    merchantId: desk.workplace.merchantId,
    env: desk.env,
    state: null,
    paymentReference: null,
  };
  const [newest] = await listLinkRows(database.db, filter, { before: null, limit: 1 });
  return (
    <ConsoleFrame frame={frameOf(desk)} section="new" title="New link" notice={readNotice(notice)}>
      {networks.list(desk.env).length === 0 && (
        <p className="panel text-sm text-muted">
          No network is on in {desk.env}: nobody can pay a link of it yet. Ask the operator to give a network
          a node.
        </p>
      )}
      <LinkForm
        place={{ merchant, env }}
        currency={newest?.link.currency ?? "usd"}
        draft={await readDraft(`${desk.base}/new`, notice)}
      />
    </ConsoleFrame>
  );
}

/** `currency`: the one to begin with. */
function LinkForm({
  place,
  currency,
  draft,
}: {
  place: { readonly merchant: string; readonly env: string };
  currency: string;
  draft: Draft;
}) {
  const kept = (name: string) => ({ name, defaultValue: draft.value(name) });
  return (
    <form key={draft.key} action={createLink} className="panel max-w-xl">
      <PlaceFields of={{ ...place, refid: newRefid() }} />
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_8rem]">
        <Field
          label="Amount"
          {...kept("amount")}
          required
          inputMode="decimal"
          autoComplete="off"
          maxLength={30}
        />
        <label className="block">
          <span className="label block">Currency</span>
          <select name="currency" defaultValue={draft.value("currency") ?? currency} className="input">
            {Object.keys(CURRENCIES).map((code) => (
              <option key={code} value={code}>
                {code.toUpperCase()}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Field
        label="Reference"
        hint="Your own number of the order, 1 to 20 letters and digits."
        {...kept("reference")}
        required
        pattern="[0-9A-Za-z]{1,20}"
        maxLength={20}
        autoComplete="off"
      />
      <Field
        label="Description (optional)"
        hint="What the payment is for. The customer reads it on the page, the receipt and in mails."
        {...kept("description")}
        maxLength={MAX_DESCRIPTION}
        autoComplete="off"
      />
      <Field
        label="Customer's e-mail address"
        {...kept("email")}
        type="email"
        required
        maxLength={254}
        autoComplete="off"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" {...kept("first_name")} required maxLength={100} autoComplete="off" />
        <Field label="Last name" {...kept("last_name")} required maxLength={100} autoComplete="off" />
      </div>
      <TimeToPay hours={draft.value("hours") ?? "24"} />
      <button type="submit" className="button cursor-pointer">
        Create the link
      </button>
    </form>
  );
}

function TimeToPay({ hours }: { hours: string }) {
  return (
    <label className="block">
      <span className="label block">Time to pay</span>
      <select name="hours" defaultValue={hours} className="input">
        {HOURS.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
