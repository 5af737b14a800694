import { priceText } from "#components/checkout/money-text.ts";
import type { PaymentLinkSummary } from "#lib/domain/payment-links/types.ts";
import { LinkStateBadge } from "./link-state.tsx";
import { LocalTime } from "./local-time.tsx";

/** Links of a merchant, one in each row. `base`: path of the merchant's console. */
export function PaymentTable({ links, base }: { links: readonly PaymentLinkSummary[]; base: string }) {
  return (
    <div className="overflow-x-auto rounded-2xl border border-line bg-card">
      <table className="console-table">
        <thead>
          <tr>
            <th scope="col" className="max-sm:hidden">
              Created
            </th>
            <th scope="col">Reference</th>
            <th scope="col" className="max-sm:hidden">
              Customer
            </th>
            <th scope="col" className="max-sm:hidden">
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
              <td className="whitespace-nowrap text-muted max-sm:hidden">
                <LocalTime at={link.createdAt} />
              </td>
              <td>
                <a
                  href={`${base}/payments/${link.refid}`}
                  className="row-link font-medium break-all underline decoration-line underline-offset-4"
                >
                  <bdi>{link.paymentReference}</bdi>
                </a>
                <span className="block text-xs text-muted sm:hidden">
                  <LocalTime at={link.createdAt} />
                </span>
              </td>
              <td className="break-all text-muted max-sm:hidden">
                <bdi>{link.customer.email}</bdi>
              </td>
              <td className="max-sm:hidden">
                <LinkStateBadge state={link.state} isCanceled={link.reason === "canceled"} />
              </td>
              <td className="number sm:whitespace-nowrap">
                {priceText(link.amount, link.currency, "en")}
                <span className="mt-1 block sm:hidden">
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
