/** State of a payment link, with the names of the service interface. A test compares it with the domain's list. */
export type LinkStatus =
  | "open"
  | "awaiting"
  | "partial"
  | "detected"
  | "completed"
  | "overpaid"
  | "failed"
  | "expired";

/** Messages from the page to the script. They hold no customer data, address or amount, because any framing page reads them. */
export type PageMessage =
  /** The page is visible. The script answers with `hello`. Until then the page behaves as if there were no script. */
  | { type: "ready"; status: LinkStatus; title: string }
  | { type: "status"; status: LinkStatus }
  /** The link is paid, and the customer continues to the shop. */
  | { type: "outcome"; url: string }
  /** The customer leaves without paying. The URL is null for the Escape key, which leads to no page. */
  | { type: "close"; url: string | null }
  /** Height of the content, CSS pixels. */
  | { type: "resize"; height: number };

/** Message from the script to the page: a script listens, so the page does not navigate the window itself. */
export type ScriptMessage = { type: "hello" };

/** Version of this protocol, in every message as `paylink`. */
const PROTOCOL = 1;

/** The window of the other side. Messages are sent to it and accepted from it only. */
export interface Peer {
  /** Exact; never `*`. */
  origin: string;
  window: Window | null;
  /** The link in the frame. Null for the frame of a form, until the page there has reported it. */
  refid: string | null;
}

export function sendMessage(peer: Peer, message: PageMessage | ScriptMessage): void {
  peer.window?.postMessage({ paylink: PROTOCOL, refid: peer.refid, ...message }, peer.origin);
}

/**
 * The fields of the event's message, still unchecked. Null unless the event comes from the peer's window and origin and is
 * about the peer's link, or about any if that is not known.
 */
export function readPageMessage(
  { origin, source, data: message }: Pick<MessageEvent, "origin" | "source" | "data">,
  peer: Peer,
): Record<string, unknown> | null {
  if (origin !== peer.origin || !source || source !== peer.window) return null;
  return message?.paylink === PROTOCOL && (!peer.refid || message.refid === peer.refid) ? message : null;
}
