import type { Metadata } from "next";
import { readId } from "#app/console/read-id.ts";
import { requireOperator } from "#app/console/session.ts";
import { EmailText } from "#components/console/email-text.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { readNotice } from "#components/console/notices.ts";
import { OnceForm } from "#components/console/once-form.tsx";
import { OperatorFrame } from "#components/console/operator-frame.tsx";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { Field } from "#components/console/plain-page.tsx";
import { ReadyButton } from "#components/console/ready-button.tsx";
import { listMerchantPage } from "#lib/domain/merchants/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { addMerchant, switchMerchant } from "./actions.ts";

export const metadata: Metadata = { title: "Merchants" };

const PAGE_SIZE = 50;

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ searchParams }: PageProps) {
  await requireOperator();
  const { before: given, notice } = await searchParams;
  const before = readId(given);
  const found = await listMerchantPage(getServices().database.reads, { before, limit: PAGE_SIZE + 1 });
  const shown = found.slice(0, PAGE_SIZE);
  return (
    <OperatorFrame section="Merchants" notice={readNotice(notice)}>
      <div className="overflow-x-auto rounded-2xl border border-line bg-card">
        <table className="console-table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">E-mail address</th>
              <th scope="col">State</th>
              <th scope="col" className="max-sm:hidden">
                Since
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((merchant) => (
              <MerchantRow key={merchant.id} merchant={merchant} />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && (
          <p className="p-4 text-sm text-muted">There is no merchant yet. Add the first one.</p>
        )}
      </div>
      {found.length > PAGE_SIZE && (
        <a href={`?before=${shown.at(-1)?.id}`} className="button-quiet justify-self-center">
          Older merchants
        </a>
      )}
      <OnceForm
        action={addMerchant}
        hint={`${getServices().config.mail === null ? "Send this link to the owner." : "A mail brings this link to the owner. You can also send it yourself."} It works once, for three days, and is not shown again.`}
        className="panel"
      >
        <h2 className="font-semibold">Add a merchant</h2>
        <Field label="Name on the payment page" name="name" required maxLength={200} autoComplete="off" />
        <Field
          label="Owner's e-mail address"
          name="email"
          type="email"
          required
          maxLength={254}
          autoComplete="off"
        />
        <ReadyButton className="button-small justify-self-start">
          Add the merchant and invite its owner
        </ReadyButton>
      </OnceForm>
    </OperatorFrame>
  );
}

function MerchantRow({ merchant }: { merchant: Awaited<ReturnType<typeof listMerchantPage>>[number] }) {
  const { id, code, name, email, status, createdAt } = merchant;
  return (
    <tr>
      <td>
        <a href={`/console/m/${code}/live/overview`} className="link">
          <bdi>{name}</bdi>
        </a>
      </td>
      <td className="text-muted">
        <EmailText email={email} />
      </td>
      <td>
        <form action={switchMerchant} className="flex flex-wrap items-center gap-2">
          <PlaceFields of={{ id, status: "active" }} />
          {status}
          {status === "active" && (
            <a
              href={`/console/operator/merchants/${id}`}
              className="link text-sm"
              aria-label={`Disable ${name}`}
            >
              Disable
            </a>
          )}
          {status === "disabled" && (
            <button type="submit" className="link text-sm" aria-label={`Enable ${name}`}>
              Enable
            </button>
          )}
        </form>
      </td>
      <td className="whitespace-nowrap text-muted max-sm:hidden">
        <LocalTime at={createdAt} />
      </td>
    </tr>
  );
}
