/** A payment link's state, as the service interface names it. */
export type LinkStatus =
  | "open"
  | "awaiting"
  | "partial"
  | "detected"
  | "completed"
  | "overpaid"
  | "failed"
  | "expired";

/** What the page tells the script. Nothing of the customer, no address, no amount: whoever frames it may know it. */
export type PageMessage =
  /** The page can be seen. The script answers with a greeting; until then the page behaves as if nobody listened. */
  | { type: "ready"; status: LinkStatus; title: string }
  | { type: "status"; status: LinkStatus }
  /** Paid, and the customer goes on to the shop. */
  | { type: "outcome"; url: string }
  /** The customer leaves without having paid, or presses Escape, which leads nowhere. */
  | { type: "close"; url: string | null }
  /** Height of the content, CSS pixels. */
  | { type: "resize"; height: number };

/** What the script tells the page: somebody listens, so that the page need not move the window itself. */
export type ScriptMessage = { type: "hello" };

/** Number of this protocol, in every message as `paylink`. */
const PROTOCOL = 1;

/** One window of the other side: the only one that is believed and spoken to. */
export interface Peer {
  /** Exact; never `*`. */
  origin: string;
  window: Window | null;
  refid: string;
}

export function sendMessage(peer: Peer, message: PageMessage | ScriptMessage): void {
  peer.window?.postMessage({ paylink: PROTOCOL, refid: peer.refid, ...message }, peer.origin);
}

/**
 * The fields of the message in this event, each still to be checked, if it comes from the peer's very window and origin
 * and is about its link; else null.
 */
export function readMessage(
  { origin, source, data }: Pick<MessageEvent<unknown>, "origin" | "source" | "data">,
  peer: Peer,
): Record<string, unknown> | null {
  if (origin !== peer.origin || !source || source !== peer.window) return null;
  const message = data as Record<string, unknown> | null;
  return message?.paylink === PROTOCOL && message.refid === peer.refid ? message : null;
}
