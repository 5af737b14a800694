import type { Logger } from "pino";
import type { NetworkConfig } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { openPayer, type PairPayer } from "#lib/dev-chains/payers/open-payer.ts";
import type { PaymentLinkDeps } from "#lib/domain/payment-links/types.ts";
import { type Clock, clockOf } from "#lib/platform/clock.ts";
import { playPayment } from "./play-payment.ts";
import { rememberChains } from "./remember-chains.ts";
import { choosePair, scenariosFor } from "./rules.ts";
import type { Sandbox, SandboxDeps } from "./types.ts";

/** A scenario may wait for the worker. With an Idempotency-Key it holds a database connection meanwhile. */
const MOST_AT_ONCE = 8;

/** Asks no node before it is used. */
export function openSandbox(
  given: {
    readonly links: PaymentLinkDeps;
    /** Configurations of all active networks. */
    readonly configs: readonly NetworkConfig[];
    readonly log: Logger;
    /**
     * Default 12 seconds: shorter than the time a transaction may be idle, including that of the
     * Idempotency-Key.
     */
    readonly patienceMs?: number;
  } & Partial<Clock>,
): Sandbox {
  const { links, log, patienceMs = 12_000 } = given;
  const clock = clockOf(given);
  const { now } = clock;
  const payers = new Map<string, PairPayer>();
  for (const config of given.configs.filter(({ env }) => env === "test")) {
    const adapter = links.networks.find("test", config.network);
    const payer = adapter && openPayer(config, adapter.data);
    if (payer) payers.set(config.network, payer);
  }
  const deps: SandboxDeps = {
    links,
    patienceMs,
    now,
    payer({ network, token }) {
      const adapter = links.networks.find("test", network);
      const found = payers.get(network);
      return adapter && found?.token === token ? { adapter, payer: found.payer } : null;
    },
  };
  const isDevelopmentChain = rememberChains(clock);
  let running = 0;
  return {
    async play(request) {
      if (running >= MOST_AT_ONCE) return { ok: false, reason: "sandbox_busy" };
      const { refid, scenario } = request;
      running += 1;
      try {
        const result = await playPayment(deps, request);
        // The page does not wait for all of them.
        if (!result.ok) log.info({ refid, scenario, reason: result.reason }, "the sandbox did not pay");
        return result;
      } catch (error) {
        log.warn({ err: error, refid, scenario }, "the sandbox could not pay");
        const silent = error instanceof NodeError && error.kind === "unreachable";
        return { ok: false, reason: silent ? "network_not_available" : "action_failed" };
      } finally {
        running -= 1;
      }
    },
    async panel(link, shown) {
      if (link.env !== "test") return null;
      const pair = choosePair(link, shown ?? { network: null, token: null });
      const found = pair && deps.payer(pair);
      if (!found || !(await isDevelopmentChain(pair.network, found.payer))) return null;
      const scenarios = scenariosFor(link, found.payer, deps.now());
      return scenarios.length === 0 ? null : { network: pair.network, token: pair.token, scenarios };
    },
  };
}
