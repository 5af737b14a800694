import { setTimeout as delay } from "node:timers/promises";
import { getRequiredConfirmations } from "#lib/chains/finality-rules.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { PaymentPair } from "#lib/chains/networks.ts";
import type { Payer } from "#lib/dev-chains/payers/types.ts";
import { hasFailed, isPaid } from "#lib/domain/payment-links/rules.ts";
import { endTimeToPay } from "#lib/domain/payment-links/settle/cancel-link.ts";
import { viewForPayer } from "#lib/domain/payment-links/settle/view-for-payer.ts";
import type { PaymentLinkView } from "#lib/domain/payment-links/types.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { PlayedTransaction, PlayRefusal, PlayRequest, SandboxDeps } from "./types.ts";

const LOOK_EVERY_MS = 100;

/** A scenario in progress. */
export interface Play {
  readonly deps: SandboxDeps;
  readonly request: PlayRequest;
  readonly adapter: NetworkAdapter;
  readonly payer: Payer;
  readonly pair: PaymentPair;
  /** When it stops waiting for the worker, by performance.now(). */
  readonly deadline: number;
}

export type Refused = { readonly ok: false; readonly reason: PlayRefusal };
/** The result of a step. A refusal ends the scenario. */
export type Step<T> = { readonly ok: true; readonly value: T } | Refused;

export const refuse = (reason: PlayRefusal): Refused => ({ ok: false, reason });

export const isOf = (pair: PaymentPair) => (other: PaymentPair) =>
  other.network === pair.network && other.token === pair.token;

/** The amounts to pay, in ledger units. */
interface Amounts {
  readonly to: string;
  readonly amount: bigint;
  /** The amount that completes the link. `extra` pays it first. */
  readonly whole: bigint;
}

type Sent = Step<readonly PlayedTransaction[]>;

/** The link as it is now. null: unknown, of another merchant, or of the live environment. */
export async function viewLink(
  { links, now }: SandboxDeps,
  { refid, merchantId }: PlayRequest,
): Promise<PaymentLinkView | null> {
  const owner = merchantId === undefined ? undefined : ({ merchantId, env: "test" } as const);
  const link = await viewForPayer(links, refid, now(), owner);
  return link?.env === "test" ? link : null;
}

/** Ends the payment time and waits for the decision. Returns the merchant's policy for late payments. */
export async function endTime(play: Play): Promise<Step<"hold" | "accept">> {
  const { deps, request } = play;
  const ended = await endTimeToPay(deps.links, request.refid, deps.now());
  if (!ended.ok) return refuse(ended.reason === "not_found" ? "link_not_found" : "link_takes_no_payment");
  if (!(await waitForLink(play, ({ state }) => hasFailed(state)))) return refuse("network_not_watched");
  return { ok: true, value: ended.latePolicy };
}

/** Sends the scenario's transactions. `isPaidBefore`: the link was paid at the time of the call. */
export async function runScenario(play: Play, isPaidBefore: boolean, amounts: Amounts): Promise<Sent> {
  const { to } = amounts;
  const units = toChainUnits(play, amounts.amount);
  switch (play.request.scenario) {
    case "wrong_token":
      return payOtherToken(play, to, units);
    case "replaced":
      return payTwice(play, to, units);
    case "reorganised":
      return payAndRevert(play, to, units);
    case "underpaid":
      return payAndEndTime(play, to, units);
    case "extra": {
      const first = isPaidBefore ? null : await payWhole(play, to, toChainUnits(play, amounts.whole));
      if (first?.ok === false) return first;
      return { ok: true, value: [...(first?.value ?? []), await payMined(play, to, units)] };
    }
    default: {
      const txHash = await play.payer.pay(to, units);
      return { ok: true, value: [{ txHash, fate: await finish(play), contract: null }] };
    }
  }
}

async function payOtherToken(play: Play, to: string, units: bigint): Promise<Sent> {
  const sent = await play.payer.payOtherToken?.(to, units);
  if (sent === undefined) return refuse("scenario_not_playable");
  return { ok: true, value: [{ ...sent, fate: await finish(play) }] };
}

async function payTwice(play: Play, to: string, units: bigint): Promise<Sent> {
  const isSeen = async (txHash: string) => !play.adapter.mempool || waitForPayment(play, txHash, "seen");
  const sent = await play.payer.payTwice?.(to, units, isSeen);
  if (sent === undefined) return refuse("scenario_not_playable");
  if (sent === null) return refuse("network_not_watched");
  const fate = await finish(play);
  return {
    ok: true,
    value: [
      { txHash: sent.replaced, fate: "replaced", contract: null },
      { txHash: sent.by, fate, contract: null },
    ],
  };
}

async function payAndRevert(play: Play, to: string, units: bigint): Promise<Sent> {
  const paid = await payMined(play, to, units);
  if (!(await waitForPayment(play, paid.txHash, "credited"))) return refuse("network_not_watched");
  await play.payer.revert(paid.txHash);
  return { ok: true, value: [{ ...paid, fate: "reorganised" }] };
}

async function payAndEndTime(play: Play, to: string, units: bigint): Promise<Sent> {
  const paid = await payMined(play, to, units);
  if (!(await waitForPayment(play, paid.txHash, "credited"))) return refuse("network_not_watched");
  const ended = await endTime(play);
  return ended.ok ? { ok: true, value: [paid] } : ended;
}

/** Pays the whole link and waits until it is paid, so that the next payment is an extra one. */
async function payWhole(play: Play, to: string, units: bigint): Promise<Sent> {
  const paid = await payMined(play, to, units);
  if (!(await waitForLink(play, ({ state }) => isPaid(state)))) return refuse("network_not_watched");
  return { ok: true, value: [paid] };
}

/** Pays and mines until the payment is final, because the scenario continues after its credit. */
async function payMined({ adapter, payer }: Play, to: string, units: bigint): Promise<PlayedTransaction> {
  const txHash = await payer.pay(to, units);
  await makeFinal(adapter, payer);
  return { txHash, fate: "mined", contract: null };
}

/** Ends a scenario: mines until what was sent is final, if the request wants it. */
async function finish({ request, adapter, payer }: Play): Promise<"mined" | "waiting"> {
  if (!request.mine) return "waiting";
  await makeFinal(adapter, payer);
  return "mined";
}

/** The ledger unit is finer. A requested amount is rounded to what every chain of the token can represent. */
function toChainUnits({ adapter, pair }: Play, amount: bigint): bigint {
  const decimals = adapter.data.tokens[pair.token]?.decimals ?? 0;
  return amount / 10n ** BigInt(TOKENS[pair.token].ledgerDecimals - decimals);
}

/** Waits until the worker has brought the link to a state. False if it has not by the deadline. */
async function waitForLink(play: Play, isThere: (link: PaymentLinkView) => boolean): Promise<boolean> {
  for (;;) {
    const link = await viewLink(play.deps, play.request);
    if (link !== null && isThere(link)) return true;
    if (performance.now() > play.deadline) return false;
    await delay(LOOK_EVERY_MS);
  }
}

const waitForPayment = (play: Play, txHash: string, status: "seen" | "credited") =>
  waitForLink(play, ({ payments }) =>
    payments.some((payment) => payment.txHash === txHash && payment.status === status),
  );

/** Mines until the waiting transactions are as final as the largest link requires. */
async function makeFinal(adapter: NetworkAdapter, payer: Payer): Promise<void> {
  const { finality } = adapter.data;
  await payer.mine(1);
  if (finality.kind === "confirmations") {
    await payer.mine(getRequiredConfirmations(finality, null) - 1);
    return;
  }
  const { height } = await adapter.blocks.fetchHead();
  for (let blocks = 1; ; blocks *= 2) {
    const { finalizedHeight } = await adapter.blocks.fetchHead();
    if (finalizedHeight !== null && finalizedHeight >= height) return;
    await payer.mine(blocks);
  }
}
