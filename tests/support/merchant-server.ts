import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

export interface ReceivedWebhook {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly data: Record<string, unknown>;
}

/** Where the webhooks of one merchant arrive. */
interface Inbox {
  readonly url: string;
  readonly webhooks: readonly ReceivedWebhook[];
  /** Until then every webhook is refused. */
  setSecret(secret: string): void;
}

/** Where customers return to and webhooks arrive. */
export interface MerchantServer {
  readonly url: string;
  openInbox(): Inbox;
  close(): Promise<void>;
}

/** Keeps webhooks with a valid signature and answers 401 to all others. */
export async function startMerchantServer(): Promise<MerchantServer> {
  const inboxes = new Map<string, { secret: string; webhooks: ReceivedWebhook[] }>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const inbox = inboxes.get(path);
    if (inbox === undefined) {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(`<title>merchant</title><h1>${path === "/success" ? "Thank you" : "Canceled"}</h1>`);
      return;
    }
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      try {
        const headers = request.headers as Record<string, string>;
        const event = new Webhook(inbox.secret).verify(body, headers) as Pick<
          ReceivedWebhook,
          "type" | "data"
        >;
        inbox.webhooks.push({ id: headers["webhook-id"] ?? "", type: event.type, data: event.data, body });
        response.writeHead(204).end();
      } catch {
        response.writeHead(401).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    openInbox() {
      const path = `/webhooks/${inboxes.size + 1}`;
      const inbox = { secret: "", webhooks: [] };
      inboxes.set(path, inbox);
      return {
        url: url + path,
        webhooks: inbox.webhooks,
        setSecret: (secret) => {
          inbox.secret = secret;
        },
      };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
