import { type LinkStatus, type Peer, readPageMessage, sendMessage } from "./messages.ts";

/** The framed page's connection to the widget script of the page around it. */
export interface ParentConnection {
  /** Reports the status that the page shows now. */
  report(status: LinkStatus): void;
  stop(): void;
}

/** Set once a widget script has answered. That script then navigates the window, and the page only sends the URL. */
let listener: Peer | null = null;

const paid = (status: LinkStatus) => status === "completed" || status === "overpaid";

/**
 * Continues to the shop. A page in its own window navigates by itself. A framed page asks the widget script, which may
 * decide to stay. Returns whether this window is navigating.
 */
export function continueToShop(url: string): boolean {
  if (listener !== null) {
    sendMessage(listener, { type: "outcome", url });
    return false;
  }
  window.location.assign(url);
  return true;
}

/**
 * Page side of the widget. Sends messages only to a parent window of origin `parent`. The server has checked that this
 * origin may frame the link.
 */
export function connectToParent(parent: string, refid: string, first: LinkStatus): ParentConnection {
  const peer: Peer = { origin: parent, window: window.parent, refid };
  const gone = new AbortController();
  const { signal } = gone;
  let status = first;
  let observer: ResizeObserver | null = null;

  function acceptListener(): void {
    if (listener !== null) return;
    listener = peer;
    document.addEventListener("click", leaveByLink, { signal });
    document.addEventListener("keydown", leaveByKey, { signal });
    const sendHeight = () =>
      sendMessage(peer, { type: "resize", height: Math.ceil(document.body.getBoundingClientRect().height) });
    // Also at once: browsers report no resize for a frame outside the visible part of the shop's page.
    sendHeight();
    observer = new ResizeObserver(sendHeight);
    observer.observe(document.body);
  }
  function leaveByLink(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link?.target !== "_top" || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    sendMessage(peer, { type: paid(status) ? "outcome" : "close", url: link.href });
  }
  function leaveByKey({ key, defaultPrevented }: KeyboardEvent): void {
    if (key === "Escape" && !defaultPrevented) sendMessage(peer, { type: "close", url: null });
  }
  window.addEventListener(
    "message",
    (event) => {
      if (readPageMessage(event, peer)?.type === "hello") acceptListener();
    },
    { signal },
  );
  sendMessage(peer, { type: "ready", status, title: document.title });
  return {
    report(now) {
      if (now === status) return;
      status = now;
      sendMessage(peer, { type: "status", status });
    },
    stop() {
      gone.abort();
      observer?.disconnect();
      listener = null;
    },
  };
}
