import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A webhook as Paylink sent it. */
export interface Delivery {
  readonly type: string;
  readonly refid: string;
  readonly body: Buffer;
  readonly headers: Record<string, string>;
}

/** The fate of webhooks. `lose`: they are accepted and forgotten, as by a shop that crashes. */
export type RelayMood = "forward" | "lose";

export interface Relay {
  readonly url: string;
  /** All webhooks that Paylink has sent. */
  readonly deliveries: readonly Delivery[];
  setMood(mood: RelayMood): void;
  /** Called after the shop has answered a forwarded webhook with 2xx, before Paylink learns of it. */
  onAccepted(call: ((delivery: Delivery) => Promise<void>) | null): void;
  /** Sends a webhook to the shop, again or changed, and returns the status. */
  send(delivery: Delivery): Promise<number>;
  close(): Promise<void>;
}

const SENT = ["webhook-id", "webhook-timestamp", "webhook-signature", "content-type", "user-agent"];

function keepHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(SENT.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}

/** Receives Paylink's webhooks in front of a shop. */
export async function startRelay(shopUrl: () => string): Promise<Relay> {
  const deliveries: Delivery[] = [];
  let mood: RelayMood = "forward";
  let accepted: ((delivery: Delivery) => Promise<void>) | null = null;
  const send: Relay["send"] = async ({ body, headers }) =>
    (await fetch(shopUrl(), { method: "POST", body: new Uint8Array(body), headers })).status;
  const receive = async (body: Buffer, headers: IncomingHttpHeaders): Promise<number> => {
    const { type, data } = JSON.parse(body.toString()) as { type: string; data: { refid?: string } };
    const delivery = { type, refid: data.refid ?? "", body, headers: keepHeaders(headers) };
    deliveries.push(delivery);
    if (mood === "lose") return 200;
    const status = await send(delivery).catch(() => 502);
    if (status < 300) await accepted?.(delivery);
    return status;
  };
  const server = createServer(async (request, response) => {
    response.writeHead(await receive(await buffer(request), request.headers)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    deliveries,
    send,
    setMood: (next) => {
      mood = next;
    },
    onAccepted: (call) => {
      accepted = call;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
