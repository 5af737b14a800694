import { type LinkStatus, type Peer, readMessage, sendMessage } from "./messages.ts";

/** What the page in a frame tells the script that framed it. */
export interface ParentConnection {
  /** The page shows this by now. */
  report(status: LinkStatus): void;
  stop(): void;
}

/** A script has greeted us: it moves the window, we only say where to. */
let listener: Peer | null = null;

const paid = (status: LinkStatus) => status === "completed" || status === "overpaid";

/**
 * Goes on to the shop: by itself where the page has a window of its own, else by the script that framed it, which may
 * decide to stay. Answers whether this window is on its way.
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
 * Page side of the widget. Speaks to the window above it, and only while that is of origin `parent`, which the server
 * has found to be one that may frame this link.
 */
export function connectToParent(parent: string, refid: string, first: LinkStatus): ParentConnection {
  const peer: Peer = { origin: parent, window: window.parent, refid };
  const gone = new AbortController();
  const { signal } = gone;
  let status = first;
  let observer: ResizeObserver | null = null;

  function greeted(): void {
    if (listener !== null) return;
    listener = peer;
    document.addEventListener("click", leaveByLink, { signal });
    document.addEventListener("keydown", leaveByKey, { signal });
    const tellHeight = () =>
      sendMessage(peer, { type: "resize", height: Math.ceil(document.body.getBoundingClientRect().height) });
    // At once, too: browsers observe nothing in a frame that is out of sight, further down the shop's page.
    tellHeight();
    observer = new ResizeObserver(tellHeight);
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
      if (readMessage(event, peer)?.type === "hello") greeted();
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
