import { createCheckoutBox } from "./checkout-box.ts";
import type { LinkOptions, WidgetLink } from "./link.ts";
import { type LinkStatus, type Peer, readMessage, sendMessage } from "./messages.ts";

/** By then the page that was asked for has come, or none will. */
const REDIRECT_TIMEOUT_MS = 8_000;

export interface CheckoutOutcome {
  refid: string;
  /** The last one heard; null: the page never came up. For your screen, not for your books: trust the webhook. */
  status: LinkStatus | null;
}

export interface CheckoutOptions extends LinkOptions {
  /** At each change of the link's state while the page is open. */
  onStatus?: ((status: LinkStatus, refid: string) => void) | undefined;
  /** Once the dialog or the frame is gone. */
  onClose?: ((outcome: CheckoutOutcome) => void) | undefined;
  /** false: stay here in the end. Otherwise a paid link leads on to its success_url. */
  redirect?: boolean | undefined;
}

/** Resolves when the customer goes on to the shop, or the dialog or frame is closed. */
export interface Checkout extends Promise<CheckoutOutcome> {
  close(): void;
}

/** Shows the link's page in `place`, or in a dialog above everything. Throws where the browser is too old for it. */
export function showCheckout(link: WidgetLink, options: CheckoutOptions, place: Element | null): Checkout {
  const { host, dialog, frame, show, setTitle } = createCheckoutBox(link, options, !place);
  const outcome: CheckoutOutcome = { refid: link.refid, status: null };
  let settle: (outcome: CheckoutOutcome) => void;
  const promise = new Promise<CheckoutOutcome>((resolve) => {
    settle = resolve;
  });
  const before = document.activeElement;
  const unlockScroll = dialog && lockScroll();

  let gone = false;
  const close = () => {
    if (gone) return;
    gone = true;
    removeEventListener("message", listen);
    if (dialog?.open) dialog.close();
    host.remove();
    if (unlockScroll) {
      unlockScroll();
      if (before instanceof HTMLElement) before.focus();
    }
    settle(outcome);
    options.onClose?.(outcome);
  };
  const leaveFor = (url: unknown) => {
    const leaving = options.redirect !== false && typeof url === "string" && /^https?:/.test(url);
    if (!leaving) return dialog && close();
    show("waiting");
    setTimeout(close, REDIRECT_TIMEOUT_MS);
    location.assign(url);
  };
  const listen = (event: MessageEvent<unknown>) => {
    const peer: Peer = { origin: link.origin, window: frame.contentWindow, refid: link.refid };
    const message = readMessage(event, peer);
    if (!message) return;
    const { type, status, title, url, height } = message;
    const news = typeof status === "string" && status !== outcome.status;
    if (news) outcome.status = status as LinkStatus;
    if (type === "ready") {
      show("ready");
      setTitle(String(title));
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
    // Last: what the shop's own function throws stops nothing.
    if (news) options.onStatus?.(status as LinkStatus, link.refid);
  };
  addEventListener("message", listen);
  (place ?? document.body).append(host);
  if (dialog) {
    dialog.onclose = close;
    dialog.showModal();
  }
  return Object.assign(promise, { close });
}

/** No scrolling behind the dialog. Answers what undoes it. */
function lockScroll(): () => void {
  const { style } = document.documentElement;
  const { overflow } = style;
  style.overflow = "hidden";
  return () => {
    style.overflow = overflow;
  };
}
