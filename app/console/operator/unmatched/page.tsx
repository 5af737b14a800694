import type { Metadata } from "next";
import { type Draft, readDraft } from "#app/console/draft.ts";
import { readId } from "#app/console/read-id.ts";
import { readEnv, requireOperator } from "#app/console/session.ts";
import { findExplorer } from "#app/find-explorer.ts";
import { readNotice } from "#components/console/notices.ts";
import { EnvTabs, OperatorFrame } from "#components/console/operator-frame.tsx";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { Field } from "#components/console/plain-page.tsx";
import { UnmatchedList } from "#components/console/unmatched-list.tsx";
import type { Env } from "#lib/chains/network-data.ts";
import type { UnmatchedDeposit } from "#lib/domain/deposits/types.ts";
import { listUnmatchedDeposits } from "#lib/domain/deposits/unmatched/queries.ts";
import { getServices } from "#lib/web/services.ts";
import { creditUnmatched } from "./actions.ts";

export const metadata: Metadata = { title: "Unmatched deposits" };

const PAGE_SIZE = 50;

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ searchParams }: PageProps) {
  await requireOperator();
  const query = await searchParams;
  const env = readEnv(query.env);
  const { database, networks } = getServices();
  const page = { before: readId(query.before), limit: PAGE_SIZE + 1 };
  const found = await listUnmatchedDeposits(database.reads, env, null, page);
  const shown = found.slice(0, PAGE_SIZE);
  const draft = await readDraft("/console/operator/unmatched", query.notice);
  return (
    <OperatorFrame section="Unmatched deposits" notice={readNotice(query.notice)}>
      <EnvTabs env={env} />
      {shown.length === 0 ? (
        <p className="panel text-sm text-muted">Everything that arrived was credited.</p>
      ) : (
        <UnmatchedList
          env={env}
          rows={shown}
          networks={networks}
          explorerOf={({ network }) => findExplorer(networks, env, network)}
          showsMerchant
          act={(row) =>
            row.status === "held" ? (
              <Credit row={row} place={{ env, before: page.before }} draft={draft} />
            ) : null
          }
        />
      )}
      {found.length > PAGE_SIZE && (
        <a href={`?env=${env}&before=${shown.at(-1)?.id}`} className="button-quiet justify-self-center">
          Older deposits
        </a>
      )}
    </OperatorFrame>
  );
}

/** An unlisted token is in no books: crediting it only takes it off the list. */
function Credit({
  row,
  place,
  draft,
}: {
  row: UnmatchedDeposit;
  place: { env: Env; before: number | null };
  draft: Draft;
}) {
  const isRefused = draft.value("id") === String(row.id);
  return (
    <details className="mt-1" open={isRefused}>
      <summary className="link min-h-6 w-fit cursor-pointer">
        {row.token === null ? "Take off the list" : "Credit a merchant"}
      </summary>
      <form action={creditUnmatched} className="mt-2 grid max-w-md gap-3">
        <PlaceFields of={{ id: row.id, env: place.env, before: place.before ?? "" }} />
        <Field
          label="Merchant's e-mail address"
          hint={row.token === null ? "Who asked for it. Nothing is credited." : "This is final."}
          name="email"
          type="email"
          required
          maxLength={254}
          defaultValue={(isRefused ? draft.value("email") : row.merchantEmail) ?? ""}
          autoComplete="off"
        />
        <button type="submit" className="button-small justify-self-start">
          {row.token === null ? "Take off the list" : "Credit"}
        </button>
      </form>
    </details>
  );
}
