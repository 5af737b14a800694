import { NETWORKS } from "#lib/chains/networks.ts";
import type { PaymentLinkView } from "#lib/domain/payment-links/types.ts";
import type { CardTone, LinkCard } from "#lib/platform/pictures/types.ts";
import { type Stage, situationOf } from "./checkout-model.ts";
import { priceText } from "./money-text.ts";
import type { Texts } from "./texts.ts";

/** The texts in the preview of a shared link. They hold no payer data, address or reference. */
export type LinkPreview = Pick<LinkCard, "merchant" | "price" | "networks" | "state" | "test"> & {
  readonly title: string;
  readonly description: string;
};

const TONES: Record<Stage, CardTone> = {
  choose: "waiting",
  noChoice: "waiting",
  pay: "waiting",
  noPrice: "waiting",
  topUp: "waiting",
  confirming: "waiting",
  checking: "waiting",
  paid: "good",
  overpaid: "good",
  underpaid: "bad",
  unconfirmed: "bad",
  expired: "bad",
  canceled: "bad",
};

/** The preview of a link at time `now`, in the language of `texts`. */
export function buildLinkPreview(view: PaymentLinkView, texts: Texts, now: Date): LinkPreview {
  const { merchantName: merchant } = view;
  const price = priceText(view.amount, view.currency, texts.locale);
  const { stage } = situationOf(view, { now });
  const state = { text: stateText(stage, texts), tone: TONES[stage] };
  const networks = networksText(view, stage);
  return {
    merchant,
    price,
    networks,
    state,
    test: view.env === "test" ? texts.testBanner : null,
    title: texts.preview.title({ merchant, price }),
    description: [state.text, networks].filter((part) => part !== "").join(" · "),
  };
}

function stateText(stage: Stage, texts: Texts): string {
  switch (stage) {
    case "choose":
    case "noChoice":
    case "pay":
    case "noPrice":
      return texts.preview.waiting;
    case "topUp":
      return texts.preview.partlyPaid;
    case "overpaid":
      return texts.titles.paid;
    default:
      return texts.titles[stage];
  }
}

/**
 * The pairs that the link can be, or was, paid with: "USDT: BNB Smart Chain (BEP20), TRON (TRC20) · BTC:
 * Bitcoin".
 */
function networksText(view: PaymentLinkView, stage: Stage): string {
  const pairs =
    TONES[stage] === "waiting"
      ? view.selectablePairs
      : view.payments.filter(({ status }) => status === "credited");
  const tokens = Map.groupBy(pairs, ({ token }) => token);
  return [...tokens]
    .map(([token, pairsOfToken]) => {
      const names = new Set(pairsOfToken.map(({ network }) => NETWORKS[network].name));
      return `${token.toUpperCase()}: ${[...names].join(", ")}`;
    })
    .join(" · ");
}
