import type { Metadata } from "next";
import { frameOf } from "#app/console/m/frame.ts";
import { readId } from "#app/console/read-id.ts";
import { type Desk, requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { EmailText } from "#components/console/email-text.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { MAX_CUSTOMER_TEXT } from "#lib/domain/merchants/customer-rules.ts";
import { listCustomers, searchCustomers } from "#lib/domain/merchants/queries.ts";
import type { Customer } from "#lib/domain/merchants/types.ts";
import { getServices } from "#lib/web/services.ts";

export const metadata: Metadata = { title: "Customers" };

const PAGE_SIZE = 50;

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const desk = await requireDesk(await params, "customers.view");
  const { email: given, before } = await searchParams;
  const email = typeof given === "string" ? given.trim() : "";
  const found = await findPage(desk, email, readId(before));
  const shown = found.slice(0, PAGE_SIZE);
  return (
    <ConsoleFrame frame={frameOf(desk)} section="customers" title="Customers">
      <form className="flex flex-wrap items-end gap-2">
        <label className="grid gap-1 text-xs text-muted">
          E-mail address
          <input
            name="email"
            type="search"
            defaultValue={email}
            maxLength={MAX_CUSTOMER_TEXT}
            className="input min-h-9 bg-card py-1 text-sm sm:w-80"
          />
        </label>
        <button type="submit" className="button-quiet">
          Show
        </button>
      </form>
      {shown.length === 0 ? (
        <div className="panel justify-items-center py-12 text-center">
          <p className="font-medium">{email === "" ? "No customers yet" : "No e-mail address begins so"}</p>
          {email === "" && <p className="text-sm text-muted">Each payment link adds its customer here.</p>}
        </div>
      ) : (
        <CustomerTable customers={shown} base={desk.base} />
      )}
      {found.length > PAGE_SIZE && (
        <a href={`?before=${shown.at(-1)?.id}`} className="button-quiet justify-self-center">
          Older customers
        </a>
      )}
    </ConsoleFrame>
  );
}

/** One customer more than a page, so that it shows whether there are older ones. */
async function findPage({ workplace, env }: Desk, email: string, before: number | null): Promise<Customer[]> {
  const { reads } = getServices().database;
  const { merchantId } = workplace;
  if (email === "") return listCustomers(reads, env, merchantId, { before, limit: PAGE_SIZE + 1 });
  // A page of one text: who looks for more types more of the address.
  return searchCustomers(reads, { env, merchantId }, { email: email.replaceAll("\0", ""), limit: PAGE_SIZE });
}

function CustomerTable({ customers, base }: { customers: readonly Customer[]; base: string }) {
  return (
    <div className="overflow-x-auto rounded-2xl border border-line bg-card">
      <table className="console-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">E-mail address</th>
            <th scope="col" className="max-sm:hidden">
              Since
            </th>
          </tr>
        </thead>
        <tbody>
          {customers.map(({ id, firstName, lastName, email, createdAt }) => (
            <tr key={id}>
              <td>
                <a
                  href={`${base}/customers/${id}`}
                  className="row-link font-medium underline decoration-line underline-offset-4"
                >
                  <bdi>
                    {firstName} {lastName}
                  </bdi>
                </a>
              </td>
              <td className="text-muted">
                <EmailText email={email} />
              </td>
              <td className="whitespace-nowrap text-muted max-sm:hidden">
                <LocalTime at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
