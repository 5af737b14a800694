import { setTimeout as delay } from "node:timers/promises";
import { getRequiredConfirmations } from "#lib/chains/finality-rules.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { startSession } from "#lib/domain/payment-links/create/start-session.ts";
import { hasFailed } from "#lib/domain/payment-links/rules.ts";
import { endTimeToPay } from "#lib/domain/payment-links/settle/end-time-to-pay.ts";
import type { PaymentLinkView, PaymentPair } from "#lib/domain/payment-links/types.ts";
import { viewPaymentLink } from "#lib/domain/payment-links/view/view-payment-link.ts";
import { parseAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { amountFor, choosePair, expectedOf, isPlayable, scenariosFor } from "./rules.ts";
import type {
  Payer,
  Played,
  PlayedTransaction,
  PlayRefusal,
  PlayRequest,
  PlayResult,
  SandboxDeps,
} from "./types.ts";

const LOOK_EVERY_MS = 100;
/** A node would only refuse more units than any development chain holds. */
const MOST_UNITS = 10n ** 30n;

/** Carries a refusal out of the steps of a scenario. */
class Refused extends Error {
  readonly reason: PlayRefusal;
  constructor(reason: PlayRefusal) {
    super(reason);
    this.reason = reason;
  }
}

/** A scenario in progress. */
interface Play {
  readonly deps: SandboxDeps;
  readonly request: PlayRequest;
  readonly adapter: NetworkAdapter;
  readonly payer: Payer;
  readonly pair: PaymentPair;
}

/**
 * Pays a link of the test environment on a development chain so that the requested scenario happens. Also
 * does what it needs: picks a network, ends the payment time, mines blocks. All input is checked first.
 * Throws NodeError when a node refuses.
 */
export async function playPayment(deps: SandboxDeps, request: PlayRequest): Promise<PlayResult> {
  try {
    return { ok: true, played: await play(deps, request) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, reason: error.reason };
    throw error;
  }
}

async function play(deps: SandboxDeps, request: PlayRequest): Promise<Played> {
  const { refid, scenario } = request;
  const link = await viewLink(deps, request);
  const pair = choosePair(link, request);
  if (pair === null) {
    throw new Refused(
      request.network === null && request.token === null ? "no_wallet_picked" : "pair_not_offered",
    );
  }
  const found = deps.payer(pair.network);
  if (found === null) throw new Refused("pair_not_offered");
  const { adapter, payer } = found;
  if (!(await payer.isDevelopmentChain())) throw new Refused("no_development_chain");
  if (!isPlayable(scenario, payer)) throw new Refused("scenario_not_playable");
  if (!scenariosFor(link, payer, deps.now()).includes(scenario)) {
    throw new Refused("link_takes_no_payment");
  }
  const one: Play = { deps, request, adapter, payer, pair };
  const given = request.amount === undefined ? null : givenUnits(request.amount, one);
  const address = await addressOf(one, link);
  const latePolicy = scenario === "late" ? await endTime(one) : "hold";
  const amount = given ?? amountFor(scenario, await askedFor(one), pair.token);
  if (amount === null) throw new Refused("amount_too_small_to_split");
  const transactions = await pay(one, address, amount);
  const expected = given === null ? expectedOf(scenario, link.state, latePolicy) : null;
  return { refid, scenario, ...pair, address, amount, transactions, expected };
}

/** Ledger units of a requested amount, which the chain must be able to represent exactly. */
function givenUnits(amount: string, { adapter, pair }: Play): bigint {
  const { ledgerDecimals } = TOKENS[pair.token];
  const parsed = parseAmount(amount, adapter.data.tokens[pair.token]?.decimals ?? 0, MOST_UNITS);
  if (!parsed.ok)
    throw new Refused(parsed.reason === "too_large" ? "amount_too_large" : "amount_too_many_decimals");
  if (parsed.units <= 0n) throw new Refused("amount_not_positive");
  return parsed.units * 10n ** BigInt(ledgerDecimals - (adapter.data.tokens[pair.token]?.decimals ?? 0));
}

async function viewLink(
  { links, now }: SandboxDeps,
  { refid, merchantId }: PlayRequest,
): Promise<PaymentLinkView> {
  const owner = merchantId === undefined ? undefined : ({ merchantId, env: "test" } as const);
  const link = await viewPaymentLink(links, refid, now(), owner);
  if (link?.env !== "test") throw new Refused("link_not_found");
  return link;
}

const isOf = (pair: PaymentPair) => (other: PaymentPair) =>
  other.network === pair.network && other.token === pair.token;

/** The link's address on this network. Picks the network if no one has yet. */
async function addressOf(one: Play, link: PaymentLinkView): Promise<string> {
  const { deps, request, pair } = one;
  const picked = link.wallets.find(isOf(pair));
  if (picked) return picked.address;
  // One visitor id per link: the limit of addresses per visitor does not apply to rehearsals.
  const visitor = { ip: `sandbox ${request.refid}` };
  const session = await startSession(deps.links, request.refid, { pair, ...visitor }, deps.now());
  if (!session.ok)
    throw new Refused(session.reason === "no_rate" ? "token_data_unavailable" : "pair_not_offered");
  const wallet = (await viewLink(deps, request)).wallets.find(isOf(pair));
  if (!wallet) throw new Refused("pair_not_offered");
  return wallet.address;
}

/**
 * The amount that completes the link, and the minimum of its newest quote. For a link that expired unpaid, the amount of
 * that quote. Ledger units.
 */
async function askedFor({ deps, request, pair }: Play): Promise<{ amount: bigint; minimumReceive: bigint }> {
  const { remaining, quotes } = await viewLink(deps, request);
  const quote = quotes.find(isOf(pair));
  const asked = remaining.find(isOf(pair)) ?? (request.scenario === "late" ? quote : undefined);
  if (!asked || !quote) throw new Refused("token_data_unavailable");
  return { amount: asked.amount, minimumReceive: quote.minimumReceive };
}

/** Ends the payment time and waits for the decision. Returns the merchant's policy for late payments. */
async function endTime(one: Play): Promise<"hold" | "accept"> {
  const { deps, request } = one;
  const ended = await endTimeToPay(deps.links, request.refid, deps.now());
  if (!ended.ok) throw new Refused(ended.reason === "not_found" ? "link_not_found" : "link_takes_no_payment");
  await untilLink(one, ({ state }) => hasFailed(state));
  return ended.latePolicy;
}

/** Waits until the worker has brought the link to a state. */
async function untilLink(
  { deps, request }: Play,
  isThere: (link: PaymentLinkView) => boolean,
): Promise<void> {
  const deadline = performance.now() + deps.patienceMs;
  while (!isThere(await viewLink(deps, request))) {
    if (performance.now() > deadline) throw new Refused("network_not_watched");
    await delay(LOOK_EVERY_MS);
  }
}

const untilSeen = (one: Play, txHash: string, status: 0 | 1) =>
  untilLink(one, ({ payments }) =>
    payments.some((payment) => payment.txHash === txHash && payment.status === status),
  );

async function pay(one: Play, to: string, amount: bigint): Promise<readonly PlayedTransaction[]> {
  const { request, adapter, payer, pair } = one;
  const decimals = adapter.data.tokens[pair.token]?.decimals ?? 0;
  // The ledger unit is finer. A requested amount is rounded to what every chain of the token can represent.
  const units = amount / 10n ** BigInt(TOKENS[pair.token].ledgerDecimals - decimals);
  const finish = async () => {
    if (request.mine) await makeFinal(adapter, payer);
  };
  const fate = request.mine ? "mined" : "waiting";
  if (request.scenario === "wrong_token" && payer.payOtherToken) {
    const sent = await payer.payOtherToken(to, units);
    await finish();
    return [{ ...sent, fate }];
  }
  if (request.scenario === "replaced" && payer.payTwice) {
    const seen = (txHash: string) => (adapter.hasMempool ? untilSeen(one, txHash, 0) : Promise.resolve());
    const { replaced, by } = await payer.payTwice(to, units, seen);
    await finish();
    return [
      { txHash: replaced, fate: "replaced", contract: null },
      { txHash: by, fate, contract: null },
    ];
  }
  const txHash = await payer.pay(to, units);
  if (request.scenario !== "reorganised") {
    await finish();
    return [{ txHash, fate, contract: null }];
  }
  await makeFinal(adapter, payer);
  await untilSeen(one, txHash, 1);
  await payer.revert(txHash);
  return [{ txHash, fate: "reorganised", contract: null }];
}

/** Mines until the waiting transactions are as final as the largest link requires. */
async function makeFinal(adapter: NetworkAdapter, payer: Payer): Promise<void> {
  const { finality } = adapter.data;
  await payer.mine(1);
  if (finality.kind === "confirmations") {
    await payer.mine(getRequiredConfirmations(finality, null) - 1);
    return;
  }
  const { height } = await adapter.fetchHead();
  for (let blocks = 1; ; blocks *= 2) {
    const { finalizedHeight } = await adapter.fetchHead();
    if (finalizedHeight !== null && finalizedHeight >= height) return;
    await payer.mine(blocks);
  }
}
