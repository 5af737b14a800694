import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { pino } from "pino";
import { Webhook } from "standardwebhooks";
import type { Dispatcher } from "undici";
import { merchants } from "#lib/domain/merchants/tables.ts";
import type { DeliverDeps } from "#lib/domain/webhooks/deliver-webhook.ts";
import { createEndpoint, generateWebhookSecret } from "#lib/domain/webhooks/webhook-endpoints.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { openGuardedAgent } from "#lib/platform/http/guarded-agent.ts";
import { Arrivals } from "#tests/support/wake-ups.ts";

export interface Received {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
  /** True if the standardwebhooks package verifies it with our secret now. */
  readonly verified: boolean;
  readonly headers: IncomingMessage["headers"];
}

export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

export const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(code, headers).end("ok");

export interface Receiver {
  readonly url: string;
  readonly secret: string;
  readonly received: Received[];
  /** Resolves when so many requests have arrived. */
  arrived(count: number): Promise<unknown>;
  /** Answers to the next requests, in order. The last one stays. */
  reply(...replies: Reply[]): void;
  close(): Promise<void>;
}

/** A merchant's server that keeps requests and verifies them with the standardwebhooks package. */
export async function startReceiver(secret = generateWebhookSecret()): Promise<Receiver> {
  const arrivals = new Arrivals<Received>();
  let replies: Reply[] = [status(200)];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    arrivals.add(describe(request, Buffer.concat(chunks), secret));
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    reply?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    secret,
    received: arrivals.all,
    arrived: (count) => arrivals.at(count - 1),
    reply: (...next) => {
      replies = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A receiver that closes after the test. */
export async function aReceiver(t: TestContext, secret?: string): Promise<Receiver> {
  const receiver = await startReceiver(secret);
  t.after(() => receiver.close());
  return receiver;
}

function describe(request: IncomingMessage, bytes: Buffer, secret: string): Received {
  const body = bytes.toString("utf8");
  const headers = request.headers as Record<string, string>;
  let verified = true;
  try {
    new Webhook(secret).verify(body, headers);
  } catch {
    verified = false;
  }
  return {
    id: headers["webhook-id"] ?? "",
    timestamp: headers["webhook-timestamp"] ?? "",
    signature: headers["webhook-signature"] ?? "",
    body,
    verified,
    headers: request.headers,
  };
}

/** Receivers of these tests are on this machine. */
export const agent = openGuardedAgent({ allow: ["127.0.0.0/8"] });

/** The same agent, which also calls `onHead` when the head of an answer has arrived that is no interim one. */
export const watchHeads = (onHead: () => void): Dispatcher =>
  agent.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart: (...given) => handler.onRequestStart?.(...given),
        onResponseStart(...given) {
          handler.onResponseStart?.(...given);
          if (given[1] >= 200) onHead();
        },
        onResponseData: (...given) => handler.onResponseData?.(...given),
        onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
        onResponseError: (...given) => handler.onResponseError?.(...given),
      }),
  );

/** Replaces the encryption of secrets, which these tests do not cover. */
export const plainSecrets = { open: (sealed: Buffer) => sealed.toString("utf8") };

/** The dependencies of a delivery, with the test's own clock. */
export function deliverDeps(db: Db, now: () => Date): DeliverDeps {
  return {
    ...{ db, secrets: plainSecrets, agent, now, timeoutMs: 5_000 },
    log: pino({ level: "silent" }),
    signal: new AbortController().signal,
  };
}

/** A merchant in the test environment, with its first endpoint. */
export interface Owner {
  readonly merchantId: number;
  readonly env: "test";
  readonly endpointId: number;
}

/** A merchant with one endpoint in the test environment. */
export async function merchantWithEndpoint(
  db: Db,
  receiver: { url: string | null; secret: string },
): Promise<Owner> {
  const email = `merchant-${Math.random()}@example.com`;
  const [merchant] = await db.insert(merchants).values({ email, name: "Shop" }).returning();
  const endpoint = await db.transaction((tx) =>
    createEndpoint(tx, {
      merchantId: merchant!.id,
      env: "test",
      url: receiver.url,
      sealedSecret: Buffer.from(receiver.secret),
    }),
  );
  return { merchantId: merchant!.id, env: "test", endpointId: endpoint.id };
}
