import { createPaylink, type Paylink } from "./paylink.ts";

declare global {
  interface Window {
    /** Available once checkout.js has run. */
    Paylink?: Paylink;
    /** The button that was pressed before that, if the shop's page remembers it (docs/integrate/embed.md). */
    paylinkPressed?: HTMLElement | null;
  }
}

// Entry of `public/checkout.js`, the script that a shop's page loads. Its host is the host of bare refids.
if (!window.Paylink) {
  window.Paylink = createPaylink((document.currentScript as HTMLScriptElement).src, { buttons: true });
  window.paylinkPressed?.click();
}
