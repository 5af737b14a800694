import type { Metadata } from "next";
import { frameOf } from "#app/console/m/frame.ts";
import { type Desk, requireDesk } from "#app/console/session.ts";
import { tokenText } from "#components/checkout/money-text.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { readNotice } from "#components/console/notices.ts";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { BookForm, LimitForm } from "#components/console/rule-form.tsx";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { may } from "#lib/domain/authority/role-rules.ts";
import { listBook, listLimits, usesAddressBook } from "#lib/domain/withdrawals/limits/limit-queries.ts";
import { BOOK_WAIT_MS } from "#lib/domain/withdrawals/limits/limit-rules.ts";
import type { WithdrawalLimits } from "#lib/domain/withdrawals/types.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { getServices } from "#lib/web/services.ts";
import { addToBook, removeFromBook, saveLimits, switchBook } from "./actions.ts";

export const metadata: Metadata = { title: "Rules for withdrawals" };

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const desk = await requireDesk(await params, "money.view");
  const { notice } = await searchParams;
  const { database, networks } = getServices();
  const owner = { merchantId: desk.workplace.merchantId, env: desk.env };
  const [limits, book, isOn] = await Promise.all([
    listLimits(database.db, owner),
    listBook(database.db, owner),
    usesAddressBook(database.db, owner.merchantId),
  ]);
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="money"
      title="Rules for withdrawals"
      notice={readNotice(notice)}
    >
      <p className="text-sm text-muted">
        They hold for everyone who works here and for every API key. An owner makes them stricter at once;
        only the operator makes them looser.
      </p>
      <Limits desk={desk} limits={limits} networks={networks} />
      <Book desk={desk} entries={book} isOn={isOn} networks={networks} />
    </ConsoleFrame>
  );
}

const mayChange = ({ workplace }: Desk) => may(workplace.role, "withdrawals.policy");

const placeOf = ({ workplace, env }: Desk) => ({ merchant: workplace.code, env });

function Limits({
  desk,
  limits,
  networks,
}: {
  desk: Desk;
  limits: ReadonlyMap<TokenCode, WithdrawalLimits>;
  networks: NetworkRegistry;
}) {
  const listed = new Set(networks.list(desk.env).flatMap(({ data }) => Object.keys(data.tokens)));
  const text = (units: bigint | null, token: TokenCode) =>
    units === null ? "no limit" : tokenText(units, token, "en");
  const set = [...limits].filter(([, one]) => one.perTransfer !== null || one.perDay !== null);
  return (
    <section className="panel" aria-labelledby="limits">
      <h2 id="limits" className="font-semibold">
        Limits
      </h2>
      {set.length === 0 ? (
        <p className="text-sm text-muted">No limits: everything that the balance holds can be withdrawn.</p>
      ) : (
        <dl className="grid gap-2 text-sm">
          {set.map(([token, one]) => (
            <div key={token} className="flex flex-wrap justify-between gap-x-4">
              <dt>{TOKENS[token].name}</dt>
              <dd className="text-muted tabular-nums">
                {text(one.perTransfer, token)} at once, {text(one.perDay, token)} in 24 hours
              </dd>
            </div>
          ))}
        </dl>
      )}
      {mayChange(desk) && (
        // Saved limits empty the form.
        <LimitForm
          key={set.map(([token, one]) => `${token} ${one.perTransfer} ${one.perDay}`).join()}
          action={saveLimits}
          place={placeOf(desk)}
          tokens={[...listed].sort().map((token) => ({ code: token, name: token.toUpperCase() }))}
        />
      )}
    </section>
  );
}

function Book({
  desk,
  entries,
  isOn,
  networks,
}: {
  desk: Desk;
  entries: Awaited<ReturnType<typeof listBook>>;
  isOn: boolean;
  networks: NetworkRegistry;
}) {
  const { role } = desk.workplace;
  const maySwitch = mayChange(desk) && (!isOn || role === "operator");
  return (
    <section className="panel" aria-labelledby="book">
      <h2 id="book" className="font-semibold">
        Address book
      </h2>
      <p className="text-sm text-muted">
        {isOn
          ? "On: withdrawals go to these addresses alone. Refunds go to the customer's address."
          : "Off: withdrawals go to any address. Switched on, only to addresses that an owner added at least 24 hours before."}
      </p>
      {entries.length > 0 && (
        <ul className="divide-y divide-line">
          {entries.map((entry) => (
            <Entry key={entry.id} desk={desk} entry={entry} networks={networks} />
          ))}
        </ul>
      )}
      {mayChange(desk) && (
        // An added address empties the form.
        <BookForm
          key={Math.max(0, ...entries.map(({ id }) => id))}
          action={addToBook}
          place={placeOf(desk)}
          networks={networks
            .list(desk.env)
            .map(({ network }) => ({ code: network, name: NETWORKS[network].name }))}
        />
      )}
      {maySwitch && (
        <form action={switchBook}>
          <PlaceFields of={{ ...placeOf(desk), book: isOn ? "off" : "on" }} />
          <button type="submit" className="button-quiet">
            {isOn ? "Switch the address book off" : "Switch the address book on"}
          </button>
        </form>
      )}
    </section>
  );
}

function Entry({
  desk,
  entry,
  networks,
}: {
  desk: Desk;
  entry: Awaited<ReturnType<typeof listBook>>[number];
  networks: NetworkRegistry;
}) {
  const { id, network, name, createdAt } = entry;
  const address = networks.find(desk.env, network)?.addresses.display(entry.address) ?? entry.address;
  const usableAt = new Date(createdAt.getTime() + BOOK_WAIT_MS);
  return (
    <li className="grid gap-1 py-3 text-sm">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium break-words">{name}</span>
        {usableAt > new Date() && (
          <span className="badge bg-warn-soft text-warn">
            Usable from&nbsp;
            <LocalTime at={usableAt} />
          </span>
        )}
      </p>
      <p className="text-muted">{NETWORKS[network].name}</p>
      <code className="break-all text-muted">{address}</code>
      {mayChange(desk) && (
        <form action={removeFromBook}>
          <PlaceFields of={{ ...placeOf(desk), id }} />
          <button type="submit" className="link">
            Remove {name}
          </button>
        </form>
      )}
    </li>
  );
}
