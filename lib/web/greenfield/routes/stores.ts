import { findPaymentMethod, paymentMethodId } from "#lib/chains/payment-method.ts";
import { merchantPairs } from "#lib/domain/payment-links/availability-rules.ts";
import { getAvailability } from "#lib/domain/settings/queries.ts";
import { isAvailable } from "#lib/domain/settings/rules.ts";
import { answer, problem } from "../answers.ts";
import { type GreenfieldCall, type GreenfieldRoute, route, storeRoute } from "../route.ts";
import { storeRecord } from "../store-record.ts";

const VIEW = "btcpay.store.canviewstoresettings";

/** The methods of the merchant's links, with whether each can be paid with now. */
async function listMethods({ api, caller }: GreenfieldCall) {
  const { merchant, env } = caller;
  const availability = await getAvailability(api.database.db, env);
  return merchantPairs(merchant).map((pair) => ({
    paymentMethodId: paymentMethodId(pair),
    enabled: api.networks.find(env, pair.network) !== null && isAvailable(availability, pair),
  }));
}

const GONE = problem(410, "unsupported-in-v2", "This endpoint is of version 1. Use payment-methods.");

export const STORE_ROUTES: readonly GreenfieldRoute[] = [
  route("get", "/stores", VIEW, (call) => answer([storeRecord(call)])),
  storeRoute("get", "", VIEW, (call) => answer(storeRecord(call))),
  storeRoute("get", "/payment-methods", VIEW, async (call) => {
    const methods = await listMethods(call);
    const isAsked = call.query.get("onlyEnabled")?.toLowerCase() === "true";
    return answer(methods.filter(({ enabled }) => enabled || !isAsked));
  }),
  // Lists of version 1. PrestaShop's plugin offers no payment in the checkout without them.
  storeRoute("get", "/payment-methods/LightningNetwork", VIEW, () => answer([])),
  storeRoute("get", "/payment-methods/OnChain", VIEW, async (call) => {
    const methods = (await listMethods(call)).filter(({ enabled }) => enabled);
    return answer(
      methods.map(({ paymentMethodId: id, enabled }) => ({ enabled, cryptoCode: id.replace(/-CHAIN$/, "") })),
    );
  }),
  ...["LightningNetwork", "OnChain"].map((kind) =>
    storeRoute("get", `/payment-methods/${kind}/:code`, VIEW, () => GONE),
  ),
  storeRoute("get", "/payment-methods/:method", VIEW, async (call) => {
    const pair = findPaymentMethod(call.path("method"));
    const methods = pair === null ? [] : await listMethods(call);
    const found = methods.find(({ paymentMethodId: id }) => pair !== null && id === paymentMethodId(pair));
    return found === undefined ? NO_METHOD : answer(found);
  }),
];

const NO_METHOD = problem(404, "paymentmethod-not-found", "The store has no such payment method.");
