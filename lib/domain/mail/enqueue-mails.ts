import { Counter } from "prom-client";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import type { EndpointDisabledEvent, NewEvent } from "#lib/domain/webhooks/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { LISTED, mailsOfLinkEvent } from "./rules.ts";
import { insertMails } from "./store.ts";
import type { LinkMailContext, NewMail } from "./types.ts";

/** Mails that this process left out because their address had too many within an hour. */
export const leftOutCounter = new Counter({
  name: "paylink_mails_left_out_total",
  help: "Mails that this process left out because their address had too many within an hour",
  registers: [],
});

/** Mails per statement. More would block the process. */
const AT_ONCE = 250;

/**
 * Stores mails that their merchants want, and notifies the workers. Everything is in the caller's transaction, so a rollback
 * sends nothing. Call it only if mail is on.
 */
export async function enqueueMails(tx: Tx, mails: readonly NewMail[], now: Date): Promise<void> {
  for (let i = 0; i < mails.length; i += AT_ONCE) {
    const { leftOut } = await insertMails(tx, mails.slice(i, i + AT_ONCE), now);
    leftOutCounter.inc(leftOut);
  }
}

/** The mails about events of payment links. `contexts`: by refid. */
export function enqueueLinkMails(
  tx: Tx,
  events: readonly NewEvent[],
  contexts: ReadonlyMap<string, LinkMailContext>,
  now: Date,
): Promise<void> {
  const mails = events.flatMap((event) =>
    isLinkEvent(event) ? mailsOfLinkEvent(event, contexts.get(event.data.refid) ?? NO_CONTEXT, now) : [],
  );
  return enqueueMails(tx, mails, now);
}

const NO_CONTEXT: LinkMailContext = { language: null };

type LinkEvent = Parameters<typeof mailsOfLinkEvent>[0];
const isLinkEvent = (event: NewEvent): event is LinkEvent => event.type.startsWith("payment_link_");

interface HeldDeposit {
  readonly id: number;
  readonly env: Env;
  /** The owner of the address. Null: nobody owns it. */
  readonly merchantId: number | null;
  readonly network: NetworkCode;
  readonly token: TokenCode;
  readonly amount: bigint;
  readonly unmatchedReason: string | null;
}

/** One mail to each merchant about these held deposits. */
export function enqueueUnmatchedMails(tx: Tx, held: readonly HeldDeposit[], now: Date): Promise<void> {
  const byOwner = Map.groupBy(held, ({ merchantId, env }) => `${merchantId}:${env}`);
  const mails = [...byOwner.values()].flatMap((deposits) => {
    const [first] = deposits;
    if (first === undefined || first.merchantId === null) return [];
    const listed = deposits.slice(0, LISTED).map(({ id, network, token, amount, unmatchedReason }) => ({
      id,
      network,
      token,
      amount: formatAmount(amount, TOKENS[token].ledgerDecimals),
      reason: unmatchedReason ?? "",
    }));
    const { merchantId, env } = first;
    const data = { count: deposits.length, deposits: listed };
    return [{ merchantId, env, kind: "unmatched" as const, recipient: null, data }];
  });
  return enqueueMails(tx, mails, now);
}

/** The mail about a webhook endpoint that was disabled. It names the host only: URLs may hold secrets. */
export function enqueueEndpointMail(
  tx: Tx,
  { merchantId, env, data }: EndpointDisabledEvent,
  now: Date,
): Promise<void> {
  const host = data.url !== null && URL.canParse(data.url) ? new URL(data.url).host : "";
  const mail = { endpoint: data.id, host, reason: data.reason };
  return enqueueMails(tx, [{ merchantId, env, kind: "endpoint_disabled", recipient: null, data: mail }], now);
}
