import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToHex, concatBytes, randomBytes } from "@noble/hashes/utils.js";
import { base58, base64urlnopad } from "@scure/base";

/** Multicodec prefix of an Ed25519 public key in a did:key. */
const ED25519_PREFIX = Uint8Array.from([0xed, 0x01]);
const AUTH_SECONDS = 86_400;
const RECONNECT_MS = 1_000;

export interface RelayOptions {
  /** wss:// URL of the relay. */
  readonly url: string;
  readonly projectId: string;
}

/** How long the relay keeps a message, in seconds, and what kind it is (specification, RPC methods). */
export interface Delivery {
  readonly tag: number;
  readonly ttl: number;
  /** Ask the relay to notify the other side. */
  readonly prompt?: boolean;
}

/** The connection to a WalletConnect relay, which passes sealed messages on. */
export interface Relay {
  subscribe(topic: string): Promise<void>;
  publish(topic: string, message: string, delivery: Delivery): Promise<void>;
  close(): void;
}

interface Frame {
  readonly id: number;
  readonly method?: string;
  readonly params?: { readonly data?: { readonly topic?: unknown; readonly message?: unknown } };
  readonly error?: { readonly message?: string };
}

/** Connects, again after each loss, until it is closed. `received` gets every message of the subscribed topics. */
export function openRelay(options: RelayOptions, received: (topic: string, message: string) => void): Relay {
  const keys = ed25519.keygen();
  const topics = new Set<string>();
  const waiting = new Map<number, { frame: object; resolve: () => void; reject: (error: Error) => void }>();
  let socket: WebSocket | null = null;
  let isClosed = false;
  let nextId = Date.now() * 1_000;

  const send = (frame: object) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
  };
  /** Resolves when the relay has taken it. An unanswered call is sent again over the next connection. */
  function call(method: string, params: object): Promise<void> {
    const frame = { id: nextId++, jsonrpc: "2.0", method, params };
    return new Promise((resolve, reject) => {
      waiting.set(frame.id, { frame, resolve, reject });
      send(frame);
    });
  }
  function receive({ id, method, params, error }: Frame): void {
    if (method === "irn_subscription") {
      send({ id, jsonrpc: "2.0", result: true });
      const { topic, message } = params?.data ?? {};
      if (typeof topic === "string" && typeof message === "string") received(topic, message);
      return;
    }
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve();
    else call?.reject(new Error(String(error.message)));
  }
  function connect(): void {
    const url = new URL(options.url);
    url.searchParams.set("auth", signAuth(keys, options.url));
    url.searchParams.set("projectId", options.projectId);
    const opened = new WebSocket(url);
    socket = opened;
    opened.onmessage = ({ data }) => receive(JSON.parse(String(data)));
    opened.onopen = () => {
      for (const topic of topics) void call("irn_subscribe", { topic }).catch(() => {});
      for (const { frame } of waiting.values()) send(frame);
    };
    opened.onclose = () => {
      if (!isClosed) setTimeout(() => !isClosed && connect(), RECONNECT_MS);
    };
  }
  connect();
  return {
    async subscribe(topic) {
      await call("irn_subscribe", { topic });
      topics.add(topic);
    },
    publish: (topic, message, delivery) =>
      call("irn_publish", { prompt: false, ...delivery, topic, message }),
    close() {
      isClosed = true;
      socket?.close();
    },
  };
}

/** A JWT of this connection's own key (specification, Relay authentication). */
function signAuth({ secretKey, publicKey }: ReturnType<typeof ed25519.keygen>, audience: string): string {
  const encode = (value: object) => base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(value)));
  const iat = Math.floor(Date.now() / 1_000);
  const iss = `did:key:z${base58.encode(concatBytes(ED25519_PREFIX, publicKey))}`;
  const claims = { iss, sub: bytesToHex(randomBytes(32)), aud: audience, iat, exp: iat + AUTH_SECONDS };
  const signed = `${encode({ alg: "EdDSA", typ: "JWT" })}.${encode(claims)}`;
  const signature = ed25519.sign(new TextEncoder().encode(signed), secretKey);
  return `${signed}.${base64urlnopad.encode(signature)}`;
}
