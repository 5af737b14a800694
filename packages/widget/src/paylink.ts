import { readLink } from "./link.ts";
import { type Checkout, type CheckoutOptions, type CheckoutOutcome, showCheckout } from "./show-checkout.ts";

export type { LinkStatus, LinkStatus as Status } from "./messages.ts";
export type {
  Checkout,
  CheckoutOptions,
  CheckoutOutcome,
  CheckoutOutcome as Outcome,
} from "./show-checkout.ts";

export interface Paylink {
  /** Opens the page of a link, or of the form with this URL, in a dialog. Closes another open dialog. */
  open(refidOrUrl: string, options?: CheckoutOptions): Checkout;
  /** Shows a link's page within `element`, as high as its content. */
  mount(element: Element, refidOrUrl: string, options?: CheckoutOptions): Checkout;
  /** Closes everything that is open. */
  close(): void;
  /** Closes everything that is open and stops handling buttons. */
  destroy(): void;
}

/**
 * Creates the widget for the Paylink host `home` (`https://pay.example`). Complete payment links may be on another host.
 * Changes the shop's page only when something is opened. With `buttons`, it handles clicks on elements with
 * `data-paylink` or `data-paylink-form`, including elements added later.
 */
export function createPaylink(home: string, { buttons }: { buttons?: boolean } = {}): Paylink {
  const shown = new Set<Checkout>();
  let dialog: Checkout | null = null;

  const start = (text: string, options: CheckoutOptions = {}, place?: Element): Checkout => {
    const link = readLink(text, home, location.origin, options);
    let checkout: Checkout;
    try {
      const onClose = (outcome: CheckoutOutcome) => {
        shown.delete(checkout);
        options.onClose?.(outcome);
      };
      checkout = showCheckout(link, { ...options, onClose }, place);
    } catch {
      // A browser without dialogs or constructed style sheets: the customer pays on the page itself.
      location.assign(link.url);
      checkout = Object.assign(new Promise<CheckoutOutcome>(() => {}), { close() {} });
    }
    shown.add(checkout);
    return checkout;
  };
  const close = () => {
    for (const checkout of shown) checkout.close();
  };
  const press = (event: MouseEvent) => {
    const button =
      event.target instanceof Element &&
      event.target.closest<HTMLElement>("[data-paylink],[data-paylink-form]");
    if (!button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const {
      paylink = "",
      paylinkForm,
      paylinkLocale: locale,
      paylinkTheme,
      paylinkRedirect,
    } = button.dataset;
    const dispatch = (name: string, detail: unknown) =>
      button.dispatchEvent(new CustomEvent(`paylink:${name}`, { bubbles: true, detail }));
    open(paylinkForm ? `/buy/${paylinkForm}` : paylink, {
      locale,
      theme: paylinkTheme as CheckoutOptions["theme"],
      redirect: paylinkRedirect !== "false",
      onStatus: (status, refid) => dispatch("status", { refid, status }),
      onClose: (outcome) => dispatch("close", outcome),
    });
    // Only after opening: if `open` throws on an invalid link, the browser follows the element's own href.
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
