import { createCheckoutBox } from "./checkout-box.ts";
import type { LinkOptions, WidgetLink } from "./link.ts";
import { type LinkStatus, type Peer, readPageMessage, sendMessage } from "./messages.ts";

export interface CheckoutOutcome {
  /** The identifier of the link. For a form it is the form's identifier until the form has created a link. */
  refid: string;
  /** The last status received. Null if the page never loaded. For display only: rely on the webhook for your books. */
  status: LinkStatus | null;
}

export interface CheckoutOptions extends LinkOptions {
  /** Called at each change of the link's status while the page is open. */
  onStatus?: ((status: LinkStatus, refid: string) => void) | undefined;
  /** Called once the dialog or the frame is removed. */
  onClose?: ((outcome: CheckoutOutcome) => void) | undefined;
  /** false: the shop's page stays. Otherwise a paid link redirects to its success_url. */
  redirect?: boolean | undefined;
}

/** Resolves when the customer continues to the shop, or when the dialog or frame is closed. */
export interface Checkout extends Promise<CheckoutOutcome> {
  close(): void;
}

/** True unless the entry of the browser's history is a dialog's. */
const isShopEntry = () => !history.state?.paylink;

/**
 * Makes the dialog an entry of the history, so that Back closes it. A dialog that is closed otherwise leaves its entry to the next one:
 * going back from there could cancel where the shop's page goes next.
 */
function closeByBack(close: () => void): void {
  if (isShopEntry()) history.pushState({ ...history.state, paylink: 1 }, "");
  addEventListener("popstate", () => isShopEntry() && close(), { once: true });
}

/**
 * Shows the link's page in `place`, or in a dialog on top of the shop's page if there is no `place`. Throws in a browser
 * without dialogs or constructed style sheets.
 */
export function showCheckout(link: WidgetLink, options: CheckoutOptions, place?: Element): Checkout {
  const { host, dialog, box, frame, setTitle } = createCheckoutBox(link, options, !place);
  const { refid, isForm, origin } = link;
  const outcome: CheckoutOutcome = { refid, status: null };
  const { activeElement, documentElement } = document;
  const { style } = documentElement;
  const { overflow } = style;
  let settle: (outcome: CheckoutOutcome) => void;
  let closed = false;

  const close = () => {
    if (closed) return;
    closed = true;
    removeEventListener("message", listen);
    dialog?.close();
    host.remove();
    if (dialog) {
      style.overflow = overflow;
      if (activeElement instanceof HTMLElement) activeElement.focus();
    }
    settle(outcome);
    options.onClose?.(outcome);
  };
  const leaveFor = (url: unknown) => {
    const target = String(url);
    if (options.redirect !== false && /^https?:/.test(target)) {
      box.className = "waiting";
      // By then the target page has replaced this one, or it does not load.
      setTimeout(close, 8_000);
      location.assign(target);
    } else if (dialog) close();
  };
  const listen = (event: MessageEvent<unknown>) => {
    const peer: Peer = { origin, window: frame.contentWindow, refid: isForm ? null : refid };
    const message = readPageMessage(event, peer);
    if (!message) return;
    const { type, status, title, url, height } = message;
    // The page of a form becomes that of the link which it created.
    peer.refid = outcome.refid = message.refid as string;
    const changed = typeof status === "string" && status !== outcome.status;
    if (changed) outcome.status = status as LinkStatus;
    if (type === "ready") {
      box.className = "ready";
      setTitle(title as string);
      sendMessage(peer, { type: "hello" });
    } else if (type === "outcome") {
      settle(outcome);
      leaveFor(url);
    } else if (type === "close") {
      if (dialog) close();
      else leaveFor(url);
    } else if (type === "resize" && !dialog) {
      frame.style.height = `${Number(height)}px`;
    }
    // Last, so that an error thrown by the shop's function stops nothing.
    if (changed) options.onStatus?.(status as LinkStatus, outcome.refid);
  };
  const promise = new Promise<CheckoutOutcome>((resolve) => {
    settle = resolve;
  });
  addEventListener("message", listen);
  (place ?? document.body).append(host);
  if (dialog) {
    closeByBack(close);
    // The page behind the dialog does not scroll.
    style.overflow = "hidden";
    dialog.onclose = close;
    dialog.showModal();
  }
  return Object.assign(promise, { close });
}
