import { reorg } from "./anvil.ts";
import type { Stack } from "./stack.ts";
import { until } from "./until.ts";

/** A link and the stage that its page shows. */
export interface LinkPage {
  readonly name: string;
  readonly url: string;
  /** The value of `data-stage`. null if the page is not a link's. */
  readonly stage: string | null;
}

const CHOSEN = { bep20: "USDT", bitcoin: "BTC", trc20: "USDT" } as const;
type Chosen = keyof typeof CHOSEN;

/** A link with a selected network: the amount and the address. */
export async function awaitingLink(
  stack: Stack,
  network: Chosen = "bep20",
  fields: Readonly<Record<string, string>> = {},
) {
  const link = await stack.createLink({
    wallets: JSON.stringify([{ network, token: CHOSEN[network] }]),
    ...fields,
  });
  const { wallets } = (await stack.getLink(link.refid)) as unknown as { wallets: { address: string }[] };
  return { ...link, address: wallets[0]?.address ?? "" };
}

/** A link of 10 USDT that is paid in full. */
export async function paidLink(stack: Stack, fields: Readonly<Record<string, string>> = {}) {
  const link = await awaitingLink(stack, "bep20", fields);
  const hash = await stack.pay(link.address, "10");
  await stack.mine(3);
  await stack.waitForState(link.refid, "completed");
  return { ...link, hash };
}

/** Sends BNB to an address that awaits another token, and waits until nobody was credited with it. Returns the ids of the deposits. */
export async function sendUnmatched(stack: Stack, address: string, ...amounts: string[]): Promise<number[]> {
  for (const amount of amounts) await stack.chain("bep20").send(address, amount, { coin: true });
  await stack.mine(20);
  return until("the deposits to be held", async () => {
    const { rows } = await stack.db.database.pool.query(
      "select id from deposits where merchant_id = $1 and token = 'bnb' and status = 3 order by id",
      [stack.merchantId],
    );
    return rows.length === amounts.length ? rows.map(({ id }) => Number(id)) : null;
  });
}

/** Ends a link's time to pay, without waiting for it, or after so many seconds. */
export async function endTimeToPay({ db }: Stack, refid: string, seconds = 0): Promise<void> {
  await db.database.pool.query(
    `update payment_links set expires_at = t.end, next_check_at = t.end
       from (select now() + make_interval(secs => $2) as end) t where refid = $1`,
    [refid, seconds],
  );
}

/** A link whose time ended without a payment. Returns its refid. */
export async function expiredLink(stack: Stack): Promise<string> {
  const { refid } = await stack.createLink();
  await endTimeToPay(stack, refid);
  await stack.waitForState(refid, "expired");
  return refid;
}

/** How often the ledger has credited the deposits of a transaction. */
export async function creditsOf({ db }: Stack, hash: string): Promise<number> {
  const { rows } = await db.database.pool.query(
    `select count(*)::int as n from ledger_transfers t join deposits d on t.cause like 'deposit:' || d.id || ':%'
     where d.tx_hash = $1 and t.reversal_of is null`,
    [hash],
  );
  return rows[0].n;
}

/**
 * Every state that lasts while the server runs, reached by real payments of links for 10 USDT. Nothing may
 * be mined on bep20 afterwards, and the server must run with CONFIRM_GRACE_HOURS=0. `fields` apply to all
 * links.
 */
export async function reachStates(
  stack: Stack,
  fields: Readonly<Record<string, string>> = {},
): Promise<LinkPage[]> {
  const awaiting = (more = {}) => awaitingLink(stack, "bep20", { ...fields, ...more });
  const states: LinkPage[] = [
    { name: "unknown", url: `${stack.pageUrl}/1111111111111111111111`, stage: null },
  ];
  const keep = (name: string, { url }: { url: string }, stage: string) => states.push({ name, url, stage });

  const [partial, completed, overpaid, underpaid] = await Promise.all([1, 2, 3, 4].map(() => awaiting()));
  const [expired, held, accepted, canceled] = await Promise.all([1, 2, 3, 4].map(() => awaiting()));
  keep("open", await stack.createLink({ ...fields }), "choose");
  keep("awaiting", await awaiting(), "pay");
  await stack.pay(partial!.address, "3.25");
  await stack.pay(completed!.address, "10");
  await stack.pay(overpaid!.address, "12.5");
  await stack.pay(underpaid!.address, "3");
  await stack.mine(3);
  await stack.waitForState(partial!.refid, "partial");
  await stack.waitForState(completed!.refid, "completed");
  await stack.waitForState(overpaid!.refid, "overpaid");
  await stack.waitForState(underpaid!.refid, "partial");
  for (const link of [underpaid, expired, held, accepted]) await endTimeToPay(stack, link!.refid);
  await stack.waitForState(underpaid!.refid, "failed");
  for (const link of [expired, held, accepted]) await stack.waitForState(link!.refid, "expired");
  keep("partial", partial!, "topUp");
  keep("completed", completed!, "paid");
  keep("overpaid", overpaid!, "overpaid");
  keep("underpaid", underpaid!, "underpaid");
  keep("expired", expired!, "expired");
  await stack.run("link", "cancel", canceled!.refid);
  keep("canceled", canceled!, "canceled");

  await payLate(stack, held!, "hold");
  await stack.waitForWebhook(held!.refid, "payment_link_late");
  keep("late-held", held!, "expired");
  await payLate(stack, accepted!, "accept");
  await stack.waitForState(accepted!.refid, "completed");
  keep("late-accepted", accepted!, "paid");

  keep("reverted", await revertedLink(stack, await awaiting()), "pay");
  // The last block: its payments are seen, and not final while no block follows.
  const [detected, unconfirmed] = await Promise.all([awaiting(), awaiting()]);
  await stack.pay(detected.address, "10");
  await stack.pay(unconfirmed.address, "10");
  await stack.mine(1);
  await stack.waitForState(detected.refid, "detected");
  await stack.waitForState(unconfirmed.refid, "detected");
  await endTimeToPay(stack, unconfirmed.refid);
  await stack.waitForState(unconfirmed.refid, "failed");
  keep("detected", detected, "confirming");
  keep("unconfirmed", unconfirmed, "unconfirmed");
  return states;
}

async function payLate(stack: Stack, link: { address: string }, policy: "hold" | "accept"): Promise<void> {
  await stack.run("merchant", "update", stack.email, "--late-policy", policy);
  await stack.pay(link.address, "10");
  await stack.mine(3);
}

/** The link's payment was seen, and its block was reorganized away. */
async function revertedLink(stack: Stack, link: { refid: string; url: string; address: string }) {
  await stack.pay(link.address, "10");
  await stack.mine(1);
  await stack.waitForState(link.refid, "detected");
  await reorg(String(stack.chain("bep20").forScripts.rpc_url), 1);
  await stack.waitForState(link.refid, "awaiting");
  return link;
}
