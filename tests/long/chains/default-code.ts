import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { buildInstructions } from "#components/checkout/payment-instructions.ts";
import { english } from "#components/checkout/texts/en.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { PaymentPair } from "#lib/chains/networks.ts";
import type { PaymentLinkView } from "#lib/domain/payment-links/types.ts";
import "#tests/support/jsx.ts";
import { readCode } from "#tests/support/read-code.ts";

const { PaymentCode } = await import("#components/checkout/payment-code.tsx");

/** Returns the text in the code that the page of a link shows first for this pair. */
export function readDefaultCode(view: PaymentLinkView, pair: PaymentPair, adapter: NetworkAdapter) {
  const instructions = buildInstructions(view, pair, {
    now: new Date(),
    locale: "en",
    paymentUri: ({ address, amount }) =>
      adapter.addresses.buildPaymentUri({ address, token: pair.token, amount }) ?? address,
    taggedAddress: () => null,
    walletTransfer: () => null,
  });
  if (instructions === null) throw new Error("the link has no price in this pair");
  const html = renderToStaticMarkup(createElement(PaymentCode, { instructions, texts: english }));
  const codes = [...html.matchAll(/<svg.*?<\/svg>/g)].map(([svg]) => readCode(svg));
  // With two codes, the one of the payment comes before the one of the address, and a radio button chooses.
  const isAddressFirst =
    / value="address"[^>]* checked/.test(html) || / checked=""[^>]* value="address"/.test(html);
  return codes[isAddressFirst ? 1 : 0];
}
