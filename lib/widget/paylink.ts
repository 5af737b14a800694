import { readLink } from "./link.ts";
import { type Checkout, type CheckoutOptions, type CheckoutOutcome, showCheckout } from "./show-checkout.ts";

export type { LinkStatus } from "./messages.ts";
export type { Checkout, CheckoutOptions, CheckoutOutcome } from "./show-checkout.ts";

export interface Paylink {
  /** Opens a link's page in a dialog. Another one that is open is closed. */
  open(refidOrUrl: string, options?: CheckoutOptions): Checkout;
  /** Shows a link's page within `element`, as high as it needs. */
  mount(element: Element, refidOrUrl: string, options?: CheckoutOptions): Checkout;
  /** Closes whatever is open. */
  close(): void;
  /** The same, and buttons do nothing any more. */
  destroy(): void;
}

/**
 * The widget for the Paylink whose host is `home` (`https://pay.example`); whole payment links may be of another host.
 * Touches the page only when something is opened; `buttons` makes it answer to those with `data-paylink`, also to such
 * as are added later.
 */
export function createPaylink(home: string, { buttons = false } = {}): Paylink {
  const shown = new Set<Checkout>();
  let dialog: Checkout | null = null;

  const start = (text: string, options: CheckoutOptions = {}, place: Element | null = null): Checkout => {
    const link = readLink(text, home, location.origin, options);
    let checkout: Checkout;
    try {
      checkout = showCheckout(link, { ...options, onClose: closed }, place);
    } catch {
      // A browser without dialogs or constructed styles: its customer pays on the page itself.
      location.assign(link.url);
      checkout = Object.assign(new Promise<CheckoutOutcome>(() => {}), { close() {} });
    }
    function closed(outcome: CheckoutOutcome): void {
      shown.delete(checkout);
      options.onClose?.(outcome);
    }
    shown.add(checkout);
    return checkout;
  };
  const close = () => {
    for (const checkout of shown) checkout.close();
  };
  const press = (event: MouseEvent) => {
    const button = event.target instanceof Element && event.target.closest<HTMLElement>("[data-paylink]");
    if (!button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { paylink = "", paylinkLocale: locale, paylinkTheme, paylinkRedirect } = button.dataset;
    const tell = (name: string, detail: unknown) =>
      button.dispatchEvent(new CustomEvent(`paylink:${name}`, { bubbles: true, detail }));
    open(paylink, {
      locale,
      theme: paylinkTheme as CheckoutOptions["theme"],
      redirect: paylinkRedirect !== "false",
      onStatus: (status, refid) => tell("status", { refid, status }),
      onClose: (outcome) => tell("close", outcome),
    });
    // After it: a link whose payment cannot be read is followed as it stands.
    event.preventDefault();
  };
  const open = (text: string, options?: CheckoutOptions) => {
    dialog?.close();
    dialog = start(text, options);
    return dialog;
  };
  if (buttons) document.addEventListener("click", press);
  return {
    open,
    mount: (element, text, options) => start(text, options, element),
    close,
    destroy() {
      document.removeEventListener("click", press);
      close();
    },
  };
}
