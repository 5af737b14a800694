import type { Metadata } from "next";
import { frameOf } from "#app/console/m/frame.ts";
import { readId } from "#app/console/read-id.ts";
import { type Desk, requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { readNotice } from "#components/console/notices.ts";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { isOpen } from "#components/console/withdrawal-state.tsx";
import { StayCurrent } from "#components/stay-current.tsx";
import { may } from "#lib/domain/authority/role-rules.ts";
import { listMembers } from "#lib/domain/members/queries.ts";
import { listWithdrawals, needsSecondPerson } from "#lib/domain/withdrawals/queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { getServices } from "#lib/web/services.ts";
import { switchSecondPerson } from "./actions.ts";
import { WithdrawalItem } from "./withdrawal-item.tsx";

export const metadata: Metadata = { title: "Withdrawals" };

const PAGE_SIZE = 50;

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const desk = await requireDesk(await params, "money.view");
  const { before: given, notice } = await searchParams;
  const before = readId(given);
  const filter = { env: desk.env, merchantId: desk.workplace.merchantId, status: null };
  const { db, reads } = getServices().database;
  const found = await listWithdrawals(reads, filter, { before, limit: PAGE_SIZE + 1 });
  const shown = found.slice(0, PAGE_SIZE);
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="money"
      title="Withdrawals"
      notice={readNotice(notice)}
      actions={
        may(desk.workplace.role, "withdrawals.create") && (
          <a href={`${desk.base}/money/withdrawals/new`} className="button-small">
            Withdraw
          </a>
        )
      }
    >
      {(before === null || shown.some(isOpen)) && <StayCurrent everyMs={5_000} />}
      {shown.length === 0 ? (
        <p className="panel text-sm text-muted">
          There was no withdrawal yet. One that is asked for waits here until the operator sends it.
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-2xl border border-line bg-card">
          {shown.map((row) => (
            <WithdrawalItem key={row.id} row={row} base={desk.base} className="p-4" />
          ))}
        </ul>
      )}
      {found.length > PAGE_SIZE && (
        <a href={`?before=${shown.at(-1)?.id}`} className="button-quiet justify-self-center">
          Older withdrawals
        </a>
      )}
      <a href={`${desk.base}/money/withdrawals/rules`} className="link justify-self-start text-sm">
        Limits and address book
      </a>
      <SecondPerson
        desk={desk}
        isOn={await needsSecondPerson(db, desk.workplace.merchantId)}
        approvers={await countApprovers(db, desk.workplace.merchantId)}
      />
    </ConsoleFrame>
  );
}

/** Members whose role may approve. */
async function countApprovers(db: Db, merchantId: number): Promise<number> {
  const members = await listMembers(db, merchantId);
  return members.filter(({ role }) => may(role, "withdrawals.approve")).length;
}

/** Whether a second person approves each withdrawal. The owner switches it on; only the operator can switch it off. */
function SecondPerson({ desk, isOn, approvers }: { desk: Desk; isOn: boolean; approvers: number }) {
  const { role, code } = desk.workplace;
  const mayChange = may(role, "withdrawals.policy") && (!isOn || role === "operator");
  return (
    <section className="panel gap-2" aria-labelledby="second-person">
      <h2 id="second-person" className="font-semibold">
        Approval by a second person
      </h2>
      <p className="text-sm text-muted">
        {isOn
          ? "On: another owner or manager approves each withdrawal and refund with a passkey. Only the operator can switch it off."
          : "Off: what one person asks for is sent. With it, another owner or manager must approve each with a passkey."}
      </p>
      {approvers < 2 && (
        <p className="text-sm text-warn">
          {approvers === 0
            ? "Nobody here may approve. Invite an owner or a manager."
            : "Only one person here may approve, and nobody approves what they asked for. Invite another owner or manager."}
        </p>
      )}
      {mayChange && (
        <form action={switchSecondPerson}>
          <PlaceFields of={{ merchant: code, env: desk.env, second: isOn ? "off" : "on" }} />
          <button type="submit" className="button-quiet">
            {isOn ? "Switch it off" : "Switch it on"}
          </button>
        </form>
      )}
    </section>
  );
}
