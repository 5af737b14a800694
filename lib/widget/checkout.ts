import { createPaylink, type Paylink } from "./paylink.ts";

declare global {
  interface Window {
    /** There once checkout.js has run. */
    Paylink?: Paylink;
  }
}

/** `public/checkout.js`: what a shop's page loads. The host it came from is the host of bare refids. */
const { src } = document.currentScript as HTMLScriptElement;
window.Paylink ??= createPaylink(src, { buttons: true });
