import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { PaymentPair } from "#lib/chains/networks.ts";
import { startSession } from "#lib/domain/payment-links/create/start-session.ts";
import { isPaid } from "#lib/domain/payment-links/rules.ts";
import type { PaymentLinkView } from "#lib/domain/payment-links/types.ts";
import { parseAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { amountFor, choosePair, expectedOf, isPlayable, scenariosFor } from "./rules.ts";
import { endTime, isOf, type Play, refuse, runScenario, type Step, viewLink } from "./run-scenario.ts";
import type { PlayRequest, PlayResult, SandboxDeps } from "./types.ts";

/** A node would only refuse more units than any development chain holds. */
const MOST_UNITS = 10n ** 30n;

/**
 * Pays a link of the test environment on a development chain so that the requested scenario happens. Also
 * does what it needs: picks a network, ends the payment time, mines blocks. All input is checked first.
 * Throws NodeError when a node refuses.
 */
export async function playPayment(deps: SandboxDeps, request: PlayRequest): Promise<PlayResult> {
  const checked = await checkRequest(deps, request);
  if (!checked.ok) return checked;
  const { play, link, given } = checked.value;
  const { refid, scenario } = request;
  const address = await getAddress(play, link);
  if (!address.ok) return address;
  const ended = scenario === "late" ? await endTime(play) : null;
  if (ended?.ok === false) return ended;
  const asked = await findAskedAmount(play, isPaid(link.state) || ended !== null);
  if (asked === null && (given === null || scenario === "extra")) return refuse("token_data_unavailable");
  if (scenario === "underpaid" && given !== null && given >= (asked?.amount ?? 0n))
    return refuse("amount_too_large");
  const amount = given ?? (asked && amountFor(scenario, asked, play.pair.token));
  if (amount === null) return refuse("amount_too_small_to_split");
  const amounts = { to: address.value, amount, whole: asked?.amount ?? 0n };
  const paid = await runScenario(play, isPaid(link.state), amounts);
  if (!paid.ok) return paid;
  const expected = given === null ? expectedOf(scenario, link.state, ended?.value ?? "hold") : null;
  const played = { refid, scenario, ...play.pair, address: address.value, amount };
  return { ok: true, played: { ...played, transactions: paid.value, expected } };
}

/** Checks all input. `given`: the requested amount in ledger units, null for the scenario's. */
async function checkRequest(
  deps: SandboxDeps,
  request: PlayRequest,
): Promise<Step<{ readonly play: Play; readonly link: PaymentLinkView; readonly given: bigint | null }>> {
  const { scenario, network, token, amount } = request;
  const link = await viewLink(deps, request);
  if (link === null) return refuse("link_not_found");
  const pair = choosePair(link, request);
  if (pair === null)
    return refuse(network === null && token === null ? "no_wallet_picked" : "pair_not_offered");
  const found = deps.payer(pair);
  if (found === null) return refuse("pair_not_offered");
  const { adapter, payer } = found;
  if (!(await payer.isDevelopmentChain())) return refuse("no_development_chain");
  if (!isPlayable(scenario, payer)) return refuse("scenario_not_playable");
  if (!scenariosFor(link, payer, deps.now()).includes(scenario)) return refuse("link_takes_no_payment");
  const given = amount === undefined ? null : parseUnits(amount, adapter, pair);
  if (given?.ok === false) return given;
  const play = { deps, request, adapter, payer, pair, deadline: performance.now() + deps.patienceMs };
  return { ok: true, value: { play, link, given: given?.value ?? null } };
}

/** Ledger units of a requested amount, which the chain must be able to represent exactly. */
function parseUnits(amount: string, adapter: NetworkAdapter, pair: PaymentPair): Step<bigint> {
  const { ledgerDecimals } = TOKENS[pair.token];
  const decimals = adapter.data.tokens[pair.token]?.decimals ?? 0;
  const parsed = parseAmount(amount, decimals, MOST_UNITS);
  if (!parsed.ok)
    return refuse(parsed.reason === "too_large" ? "amount_too_large" : "amount_too_many_decimals");
  if (parsed.units <= 0n) return refuse("amount_not_positive");
  return { ok: true, value: parsed.units * 10n ** BigInt(ledgerDecimals - decimals) };
}

/** The link's address on this network. Picks the network if no one has yet. */
async function getAddress({ deps, request, pair }: Play, link: PaymentLinkView): Promise<Step<string>> {
  const picked = link.wallets.find(isOf(pair));
  if (picked) return { ok: true, value: picked.address };
  // One visitor id per link: the limit of addresses per visitor does not apply to rehearsals.
  const visitor = { ip: `sandbox ${request.refid}` };
  const session = await startSession(deps.links, request.refid, { pair, ...visitor }, deps.now());
  if (!session.ok)
    return refuse(session.reason === "no_rate" ? "token_data_unavailable" : "pair_not_offered");
  const wallet = (await viewLink(deps, request))?.wallets.find(isOf(pair));
  return wallet ? { ok: true, value: wallet.address } : refuse("pair_not_offered");
}

/**
 * The amount that completes the link, and the minimum of its newest quote, in ledger units. For a link that has ended and
 * asks for nothing, the amount of that quote. null while no rate is known.
 */
async function findAskedAmount(
  { deps, request, pair }: Play,
  hasEnded: boolean,
): Promise<{ readonly amount: bigint; readonly minimumReceive: bigint } | null> {
  const link = await viewLink(deps, request);
  const quote = link?.quotes.find(isOf(pair));
  const asked = link?.remaining.find(isOf(pair)) ?? (hasEnded ? quote : undefined);
  return asked && quote ? { amount: asked.amount, minimumReceive: quote.minimumReceive } : null;
}
