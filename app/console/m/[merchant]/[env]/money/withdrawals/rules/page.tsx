import type { Metadata } from "next";
import { tokenText } from "#components/checkout/money-text.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { LocalTime } from "#components/console/local-time.tsx";
import { readNotice } from "#components/console/notices.ts";
import { Field } from "#components/console/plain-page.tsx";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import { may } from "#lib/domain/members/role-rules.ts";
import { listBook, listLimits, usesAddressBook } from "#lib/domain/withdrawals/limit-queries.ts";
import { BOOK_WAIT_MS } from "#lib/domain/withdrawals/limit-rules.ts";
import type { WithdrawalLimits } from "#lib/domain/withdrawals/types.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { getServices } from "#lib/web/services.ts";
import { type Desk, requireDesk } from "../../../../../../session.ts";
import { frameOf } from "../../../../../frame.ts";
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

/** The fields that say where a form belongs. */
function Place({ desk }: { desk: Desk }) {
  return (
    <>
      <input type="hidden" name="merchant" value={desk.workplace.code} />
      <input type="hidden" name="env" value={desk.env} />
    </>
  );
}

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
        <form action={saveLimits} className="grid max-w-xl gap-3 border-t border-line pt-4 sm:grid-cols-3">
          <Place desk={desk} />
          <label className="block">
            <span className="label block">Token</span>
            <select name="token" className="input">
              {[...listed].sort().map((token) => (
                <option key={token} value={token}>
                  {token.toUpperCase()}
                </option>
              ))}
            </select>
          </label>
          <Field label="At once" name="per_transfer" inputMode="decimal" maxLength={40} autoComplete="off" />
          <Field label="In 24 hours" name="per_day" inputMode="decimal" maxLength={40} autoComplete="off" />
          <p className="text-sm text-muted sm:col-span-2">An empty field is no limit.</p>
          <button type="submit" className="button-small sm:justify-self-end">
            Save limits
          </button>
        </form>
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
          : "Off: withdrawals go to any address. With it, only to addresses that an owner added 24 hours before."}
      </p>
      {entries.length > 0 && (
        <ul className="divide-y divide-line">
          {entries.map((entry) => (
            <Entry key={entry.id} desk={desk} entry={entry} networks={networks} />
          ))}
        </ul>
      )}
      {mayChange(desk) && (
        <form action={addToBook} className="grid max-w-xl gap-3 border-t border-line pt-4">
          <Place desk={desk} />
          <label className="block">
            <span className="label block">Network</span>
            <select name="network" className="input">
              {networks.list(desk.env).map(({ network }) => (
                <option key={network} value={network}>
                  {NETWORKS[network].name}
                </option>
              ))}
            </select>
          </label>
          <Field
            label="Address"
            name="address"
            required
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
          />
          <Field label="Whose it is" name="name" required maxLength={50} autoComplete="off" />
          <button type="submit" className="button-small justify-self-start">
            Add the address
          </button>
        </form>
      )}
      {maySwitch && (
        <form action={switchBook}>
          <Place desk={desk} />
          <input type="hidden" name="book" value={isOn ? "off" : "on"} />
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
  const address = networks.find(desk.env, network)?.displayAddress(entry.address) ?? entry.address;
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
          <Place desk={desk} />
          <input type="hidden" name="id" value={id} />
          <button type="submit" className="link">
            Remove {name}
          </button>
        </form>
      )}
    </li>
  );
}
