import type { Logger } from "pino";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { NetworkData } from "#lib/chains/network-data.ts";
import type { Fees } from "#lib/chains/network-fee.ts";
import { NETWORKS, type PaymentPair } from "#lib/chains/networks.ts";
import { type Fraction, fraction, ONE } from "#lib/platform/money/fraction.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import type { PaymentLinkDeps, PaymentLinkView } from "../types.ts";
import { parsePrice } from "../valuation-rules.ts";

/** A fee in ledger units of the network's own coin. */
interface UsualFee {
  readonly coin: TokenCode;
  readonly fee: bigint;
}

/** The network fees that a payer usually pays for one transfer, for people to compare networks. */
export interface UsualFees {
  /**
   * In the link's currency, by the market's rate. Null: not known, or not yet. Never waits for a node.
   */
  find(link: Pick<PaymentLinkView, "env" | "currency">, pair: PaymentPair, now: Date): Fraction | null;
}

interface UsualFeesDeps extends Pick<PaymentLinkDeps, "networks" | "rates"> {
  readonly log: Logger;
}

/** A node is asked at most this often, and only while pages are opened. */
const ASK_EVERY_MS = 60_000;
/** An older fee says nothing. */
const KEPT_MS = 3_600_000;

interface Known {
  readonly usual: UsualFee | null;
  /** The time of `usual`. */
  readonly at: number;
  /** The time of the last question, answered or not. */
  readonly askedAt: number;
}

/** Keeps the fees of this process. However many pages are opened, each network's node is asked once a minute. */
export function createUsualFees({ networks, rates, log }: UsualFeesDeps): UsualFees {
  const known = new Map<string, Known>();
  async function ask(
    { env, network }: NetworkAdapter,
    fees: Fees,
    { key, now }: { key: string; now: number },
  ): Promise<void> {
    const before = known.get(key);
    known.set(key, { usual: before?.usual ?? null, at: before?.at ?? 0, askedAt: now });
    try {
      const usual = await fees.fetchTransferFee();
      known.set(key, { usual: { coin: usual.coin, fee: usual.fee }, at: now, askedAt: now });
    } catch (error) {
      log.debug({ err: error, env, network }, "usual fee not known");
    }
  }
  return {
    find({ env, currency }, { network, token }, now) {
      const key = `${env}:${network}`;
      const adapter = networks.find(env, network);
      const entry = known.get(key);
      if (adapter?.fees && now.getTime() - (entry?.askedAt ?? 0) >= ASK_EVERY_MS) {
        void ask(adapter, adapter.fees, { key, now: now.getTime() });
      }
      const usual = entry && now.getTime() - entry.at < KEPT_MS ? entry.usual : null;
      const { coinFeeShare = ONE }: NetworkData = NETWORKS[network];
      const share = usual?.coin === token ? coinFeeShare : ONE;
      const rate = usual && rates.current(usual.coin, currency, now);
      if (!rate || share === null) return null;
      const { num, den } = parsePrice(rate.price);
      return fraction(
        usual.fee * num * share.num,
        share.den * den * 10n ** BigInt(TOKENS[usual.coin].ledgerDecimals),
      );
    },
  };
}
