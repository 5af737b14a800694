import { createPaylink, type Paylink } from "./paylink.ts";

declare global {
  interface Window {
    /** Available once checkout.js has run. */
    Paylink?: Paylink;
  }
}

// Entry of `public/checkout.js`, the script that a shop's page loads. Its host is the host of bare refids.
window.Paylink ??= createPaylink((document.currentScript as HTMLScriptElement).src, { buttons: true });
