import type { NetworkRegistry } from "#lib/chains/network.ts";
import { listLinkRowsById } from "#lib/domain/payment-links/queries.ts";
import type { LinkRow } from "#lib/domain/payment-links/types.ts";
import { emitEvents } from "#lib/domain/webhooks/emit-event.ts";
import type { NewEvent } from "#lib/domain/webhooks/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { createRecordComposer, getNetworkDisplay } from "../deposit-record.ts";
import { listDepositsById } from "../queries.ts";
import type { DepositRow } from "../types.ts";
import {
  listLinksToReport,
  listNewestSmallDeposits,
  type SmallDepositTotal,
  sumSmallDeposits,
  takeSmallDeposits,
  tryReportLock,
} from "./store.ts";

/** So long the deposits of a link are collected for one event. */
const COLLECT_MS = 60_000;
const DEPOSITS_LISTED = 20;
/** An event is found by at most this many transactions of its deposits. */
const HASHES_PER_EVENT = 500;
/** Links per transaction. */
const LINKS_AT_ONCE = 50;

export interface ReportDeps {
  readonly db: Db;
  readonly networks: NetworkRegistry;
}

/**
 * Emits one event for each link whose deposits below the minimum have waited for a minute: about all that were credited
 * or reversed since the last one. Each transaction takes what waits and stores the event, so that a killed process loses
 * and doubles nothing. Returns how many events it emitted; 0 if another process reports.
 */
export async function reportSmallDeposits(
  { db, networks }: ReportDeps,
  now: Date,
  stopping?: AbortSignal,
): Promise<number> {
  const before = new Date(now.getTime() - COLLECT_MS);
  let emitted = 0;
  for (let links = LINKS_AT_ONCE; links === LINKS_AT_ONCE && !stopping?.aborted; ) {
    const events = await db.transaction(async (tx) => {
      links = 0;
      if (!(await tryReportLock(tx))) return [];
      const linkIds = await listLinksToReport(tx, before, LINKS_AT_ONCE);
      links = linkIds.length;
      const composed = await composeEvents(tx, networks, linkIds);
      return emitEvents(tx, composed, now);
    });
    emitted += events.length;
  }
  return emitted;
}

async function composeEvents(
  tx: Tx,
  networks: NetworkRegistry,
  linkIds: readonly number[],
): Promise<NewEvent[]> {
  if (linkIds.length === 0) return [];
  const taken = await takeSmallDeposits(tx, linkIds);
  // A new statement sees the deposits as they are now that nobody else can report them.
  const totals = Map.groupBy(await sumSmallDeposits(tx, taken), ({ linkId }) => linkId);
  const newest = await listNewestSmallDeposits(tx, taken, HASHES_PER_EVENT);
  const newestOf = Map.groupBy(newest, ({ linkId }) => linkId);
  const listed = [...newestOf.values()].flatMap((some) => some.slice(-DEPOSITS_LISTED));
  const rows = await listDepositsById(
    tx,
    listed.map(({ id }) => id),
  );
  const rowsById = new Map(rows.map((row) => [row.deposit.id, row]));
  const links = await listLinkRowsById(tx, [...totals.keys()]);
  const inOrder = links.sort((a, b) => a.link.id - b.link.id);
  return inOrder.map(({ link }) => {
    const changes = newestOf.get(link.id) ?? [];
    const deposits = changes.slice(-DEPOSITS_LISTED).flatMap(({ id }) => rowsById.get(id) ?? []);
    return {
      merchantId: link.merchantId,
      env: link.env,
      type: "small_deposits",
      data: composeData(networks, link, totals.get(link.id) ?? [], deposits),
      txHashes: [...new Set(changes.map(({ txHash }) => txHash))],
    };
  });
}

function composeData(
  networks: NetworkRegistry,
  link: LinkRow["link"],
  totals: readonly SmallDepositTotal[],
  deposits: readonly DepositRow[],
) {
  const sum = (credited: boolean) => {
    const some = totals.filter((total) => total.credited === credited);
    return {
      count: some.reduce((count, total) => count + total.deposits, 0),
      amounts: some.map(({ network, token, amount }) => ({
        network,
        token,
        amount: formatAmount(amount, TOKENS[token].ledgerDecimals),
      })),
    };
  };
  const composers = new Map<string, ReturnType<typeof createRecordComposer>>();
  const composeRecord = (row: DepositRow) => {
    const { network, env } = row.deposit;
    const composer =
      composers.get(network) ?? createRecordComposer(getNetworkDisplay(networks, env, network));
    composers.set(network, composer);
    return composer(row);
  };
  const [credited, reversed] = [sum(true), sum(false)];
  return {
    refid: link.refid,
    payment_reference: link.paymentReference,
    environment: link.env,
    credited_count: credited.count,
    credited: credited.amounts,
    reversed_count: reversed.count,
    reversed: reversed.amounts,
    deposits: deposits.map(composeRecord),
  };
}
