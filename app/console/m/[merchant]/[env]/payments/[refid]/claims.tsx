import { WITHDRAWAL_PROBLEMS } from "#app/console/m/[merchant]/[env]/money/withdrawals/new/read-withdrawal.ts";
import { tokenText } from "#components/checkout/money-text.ts";
import { LocalTime } from "#components/console/local-time.tsx";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { NETWORKS } from "#lib/chains/networks.ts";
import type { ClaimRow } from "#lib/domain/withdrawals/claims/queries.ts";
import { dropClaim } from "./actions.ts";

interface ClaimsProps {
  claims: readonly ClaimRow[];
  /** The hidden fields of the form. Null if the person may not revoke. */
  place: { readonly merchant: string; readonly env: string; readonly refid: string } | null;
}

/** Refund claims that wait for the customer's address. */
export function Claims({ claims, place }: ClaimsProps) {
  return (
    <section className="panel" aria-labelledby="claims">
      <h2 id="claims" className="font-semibold">
        Waiting for the customer's address
      </h2>
      <ul className="divide-y divide-line">
        {claims.map((claim) => (
          <li key={claim.id} className="grid gap-1 py-3 text-sm first:pt-0 last:pb-0">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <span className="font-medium tabular-nums">
                {tokenText(claim.amount, claim.token, "en")}
                <span className="font-normal text-muted">
                  {" "}
                  on {NETWORKS[claim.network].name}
                  {claim.mailed && ", mailed"}
                </span>
              </span>
              {place !== null && (
                <form action={dropClaim}>
                  <PlaceFields of={{ ...place, claim: claim.id }} />
                  <button type="submit" className="button-quiet">
                    Revoke
                  </button>
                </form>
              )}
            </div>
            <p className="text-muted">
              Until <LocalTime at={claim.expiresAt} />
            </p>
            {claim.reason !== null && <p className="break-words text-muted">Reason: {claim.reason}</p>}
            {claim.note !== null && <p className="break-words text-muted">“{claim.note}”</p>}
            {claim.problem !== null && claim.problemAt !== null && (
              <p className="rounded-lg bg-warn-soft p-2 text-warn">
                The customer entered an address <LocalTime at={claim.problemAt} />, but it was not sent:{" "}
                {problemText(claim.problem)} They can try again.
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const problemText = (reason: string): string =>
  Object.entries(WITHDRAWAL_PROBLEMS).find(([code]) => code === reason)?.[1].text ??
  "it could not be sent then.";
