import { priceText } from "#components/checkout/money-text.ts";
import type { PaymentLinkSummary } from "#lib/domain/payment-links/types.ts";
import { EmailText } from "./email-text.tsx";
import { LinkStateBadge } from "./link-state.tsx";
import { LocalTime } from "./local-time.tsx";

/** Links of a merchant, one in each row, of two columns where there is no room for five. `base`: path of the merchant's console. */
export function PaymentTable({ links, base }: { links: readonly PaymentLinkSummary[]; base: string }) {
  return (
    <div className="overflow-x-auto rounded-2xl border border-line bg-card">
      <table className="console-table">
        <thead>
          <tr>
            <th scope="col" className="max-lg:hidden">
              Created
            </th>
            <th scope="col">Reference</th>
            <th scope="col" className="max-lg:hidden">
              Customer
            </th>
            <th scope="col" className="max-lg:hidden">
              State
            </th>
            <th scope="col" className="number">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {links.map((link) => (
            <tr key={link.refid}>
              <td className="whitespace-nowrap text-muted max-lg:hidden">
                <LocalTime at={link.createdAt} />
              </td>
              <td>
                <a
                  href={`${base}/payments/${link.refid}`}
                  className="row-link font-medium break-all underline decoration-line underline-offset-4"
                >
                  <bdi>{link.paymentReference}</bdi>
                </a>
                <span className="block text-xs text-muted lg:hidden">
                  <LocalTime at={link.createdAt} />
                </span>
              </td>
              <td className="text-muted max-lg:hidden">
                <EmailText email={link.customer.email} />
              </td>
              <td className="max-lg:hidden">
                <LinkStateBadge state={link.state} isCanceled={link.reason === "canceled"} />
              </td>
              <td className="number lg:whitespace-nowrap">
                {priceText(link.amount, link.currency, "en")}
                <span className="mt-1 block lg:hidden">
                  <LinkStateBadge state={link.state} isCanceled={link.reason === "canceled"} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
