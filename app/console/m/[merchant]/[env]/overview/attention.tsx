import type { Desk } from "#app/console/session.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { may } from "#lib/domain/authority/role-rules.ts";
import { listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { listNetworkTroubles } from "#lib/domain/network-status/queries.ts";
import { qualifiedNetworkName } from "#lib/domain/network-status/rules.ts";
import { countUnderpaid } from "#lib/domain/payment-links/queries.ts";
import { listEndpoints } from "#lib/domain/webhooks/queries.ts";
import { countToApprove } from "#lib/domain/withdrawals/queries.ts";
import { countHeld } from "#lib/domain/withdrawals/signer/signer-queries.ts";
import { getServices } from "#lib/web/services.ts";

/** More than this many are not counted. */
const MOST = 100;
const RECENT_MS = 30 * 86_400_000;

const countText = (found: number, one: string, many: string) =>
  found === 1 ? `1 ${one}` : `${found >= MOST ? `${MOST} or more` : found} ${many}`;

/** The matters that need a person, each with its page. Empty lists show nothing. */
export async function Attention({ desk, now }: { desk: Desk; now: Date }) {
  const { database, networks } = getServices();
  const { env, base, workplace } = desk;
  const { merchantId, role } = workplace;
  const owner = { merchantId, env };
  const [underpaid, unmatched, endpoints, troubles, toApprove, held] = await Promise.all([
    countUnderpaid(database.reads, owner, { since: new Date(now.getTime() - RECENT_MS), limit: MOST }),
    may(role, "money.view")
      ? listUnmatchedDeposits(database.reads, env, merchantId, { before: null, limit: MOST })
      : [],
    may(role, "developers.view") ? listEndpoints(database.reads, owner) : [],
    listNetworkTroubles({ db: database.reads, networks }, now),
    may(role, "withdrawals.approve") ? countToApprove(database.reads, { ...owner, limit: MOST }) : 0,
    may(role, "money.view") ? countHeld(database.reads, { ...owner, limit: MOST }) : 0,
  ]);
  const failing = endpoints.filter(
    ({ failingSince, disabledAt }) => failingSince !== null || disabledAt !== null,
  );
  const stalled = Object.values(NETWORKS).filter(({ code }) =>
    troubles.unwatched.includes(qualifiedNetworkName(env, code)),
  );
  const lines: readonly (readonly [text: string, page: string | null])[] = [
    ...stalled.map(({ name }) => [`${name} is not read now. Payments there count later.`, null] as const),
    ...(toApprove > 0
      ? [
          [
            `${countText(toApprove, "withdrawal waits", "withdrawals wait")} for an approval`,
            "money/withdrawals",
          ] as const,
        ]
      : []),
    ...(held > 0
      ? [
          [
            `${countText(held, "withdrawal is", "withdrawals are")} not sent yet, for a reason that its page shows`,
            "money/withdrawals",
          ] as const,
        ]
      : []),
    ...(underpaid > 0
      ? [
          [
            `${countText(underpaid, "link was", "links were")} paid too little in 30 days`,
            "payments?state=failed",
          ] as const,
        ]
      : []),
    ...(unmatched.length > 0
      ? [
          [
            `${countText(unmatched.length, "deposit is", "deposits are")} not matched to a link. The operator can assign them.`,
            may(role, "money.view") ? "money/unmatched" : null,
          ] as const,
        ]
      : []),
    ...failing.map(
      ({ url, disabledAt }) =>
        [`The webhook ${url ?? ""} ${disabledAt === null ? "is failing" : "is off"}`, "developers"] as const,
    ),
  ];
  return lines.length === 0 ? null : <Lines lines={lines} base={base} />;
}

function Lines({
  lines,
  base,
}: {
  lines: readonly (readonly [text: string, page: string | null])[];
  base: string;
}) {
  return (
    <section className="panel gap-2 border-warn" aria-labelledby="attention">
      <h2 id="attention" className="font-semibold">
        Needs attention
      </h2>
      <ul className="grid gap-2 text-sm">
        {lines.map(([text, page]) => (
          <li key={text} className="break-words">
            {page === null ? (
              text
            ) : (
              <a href={`${base}/${page}`} className="link">
                {text}
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
