import type { Metadata } from "next";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { readNotice } from "#components/console/notices.ts";
import { Field } from "#components/console/plain-page.tsx";
import { newRefid } from "#lib/domain/payment-links/refid.ts";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { requireDesk } from "../../../../session.ts";
import { frameOf } from "../../../frame.ts";
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
  return (
    <ConsoleFrame frame={frameOf(desk)} section="new" title="New link" notice={readNotice(notice)}>
      <form action={createLink} className="panel max-w-xl">
        <input type="hidden" name="merchant" value={merchant} />
        <input type="hidden" name="env" value={env} />
        <input type="hidden" name="refid" value={newRefid()} />
        <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_8rem]">
          <Field
            label="Amount"
            name="amount"
            required
            inputMode="decimal"
            autoComplete="off"
            maxLength={30}
          />
          <label className="block">
            <span className="label block">Currency</span>
            <select name="currency" defaultValue="ngn" className="input">
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
          name="reference"
          required
          pattern="[0-9A-Za-z]{1,20}"
          maxLength={20}
          autoComplete="off"
        />
        <Field
          label="Customer's e-mail address"
          name="email"
          type="email"
          required
          maxLength={254}
          autoComplete="off"
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="First name" name="first_name" required maxLength={100} autoComplete="off" />
          <Field label="Last name" name="last_name" required maxLength={100} autoComplete="off" />
        </div>
        <label className="block">
          <span className="label block">Time to pay</span>
          <select name="hours" defaultValue="24" className="input">
            {HOURS.map(([hours, text]) => (
              <option key={hours} value={hours}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="button cursor-pointer">
          Create the link
        </button>
      </form>
    </ConsoleFrame>
  );
}
