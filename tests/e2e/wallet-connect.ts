import type { AddressInfo } from "node:net";
import { createWalletClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type WebSocket, WebSocketServer } from "ws";
import {
  agreeOnChannel,
  type Channel,
  newKeyPair,
  open,
  seal,
} from "#components/checkout/wallet-connect/envelope.ts";
import { openRelay } from "#components/checkout/wallet-connect/relay.ts";
import type { DevChain } from "#lib/dev-chains/dev-chain.ts";

/** A fake of WalletConnect's relay: it keeps sealed messages until someone subscribes to their topic, and delivers each once. */
export interface FakeRelay {
  readonly url: string;
  /** Ends all connections, as a lost network does. */
  cut(): void;
  close(): void;
}

export async function startFakeRelay(): Promise<FakeRelay> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  const readers = new Map<string, Set<WebSocket>>();
  const kept = new Map<string, string[]>();
  let nextId = 1;
  const deliver = (to: WebSocket, topic: string, message: string) => {
    const data = { topic, message, publishedAt: Date.now(), tag: 0 };
    to.send(
      JSON.stringify({
        id: nextId++,
        jsonrpc: "2.0",
        method: "irn_subscription",
        params: { id: topic, data },
      }),
    );
  };
  server.on("connection", (socket) => {
    socket.on("message", (text) => {
      const { id, method, params } = JSON.parse(String(text)) as {
        id: number;
        method?: string;
        params: { topic: string; message: string; topics?: string[] };
      };
      if (method === undefined) return;
      socket.send(
        JSON.stringify({ id, jsonrpc: "2.0", result: method === "irn_publish" ? true : params.topic }),
      );
      if (method === "irn_subscribe") {
        readers.set(params.topic, new Set([...(readers.get(params.topic) ?? []), socket]));
        for (const message of kept.get(params.topic) ?? []) deliver(socket, params.topic, message);
        kept.delete(params.topic);
      }
      if (method !== "irn_publish") return;
      const others = [...(readers.get(params.topic) ?? [])].filter(
        (one) => one !== socket && one.readyState === one.OPEN,
      );
      if (others.length === 0) kept.set(params.topic, [...(kept.get(params.topic) ?? []), params.message]);
      for (const other of others) deliver(other, params.topic, params.message);
    });
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      for (const client of server.clients) client.terminate();
    },
    close() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

interface Message {
  readonly id: number;
  readonly method?: string;
  readonly params: Record<string, never>;
}

/**
 * A wallet of the tests on another device: it scans the code, accepts the session and sends what it is asked with the
 * chain's faucet key. `refuses`: it refuses the payment.
 */
export function scanWithWallet(
  uri: string,
  relayUrl: string,
  chain: DevChain,
  { refuses = false }: { readonly refuses?: boolean } = {},
): { close(): void } {
  const { pathname, searchParams } = new URL(uri.replace("wc:", "wc://x/").replace("@2?", "?"));
  const pairing: Channel = {
    topic: pathname.slice(1),
    key: Buffer.from(searchParams.get("symKey") ?? "", "hex"),
  };
  const { rpc_url: rpcUrl, faucet_private_key: key } = chain.forScripts as Record<string, string>;
  const account = privateKeyToAccount(key as `0x${string}`);
  const client = createWalletClient({ account, transport: http(rpcUrl) });
  const channels = new Map([[pairing.topic, pairing]]);
  const publish = (channel: Channel, message: object, tag: number) =>
    relay.publish(channel.topic, seal(channel, { jsonrpc: "2.0", ...message }), { tag, ttl: 300 });

  async function propose({ id, params }: Message): Promise<void> {
    const { proposer, optionalNamespaces } = params as unknown as {
      proposer: { publicKey: string };
      optionalNamespaces: { eip155: { chains: string[] } };
    };
    const keys = newKeyPair();
    const session = agreeOnChannel(keys, proposer.publicKey);
    channels.set(session.topic, session);
    await relay.subscribe(session.topic);
    await publish(
      pairing,
      { id, result: { relay: { protocol: "irn" }, responderPublicKey: keys.publicKey } },
      1101,
    );
    const accounts = optionalNamespaces.eip155.chains.map((one) => `${one}:${account.address}`);
    const namespaces = { eip155: { ...optionalNamespaces.eip155, accounts } };
    const controller = { publicKey: keys.publicKey, metadata: {} };
    const settle = { relay: { protocol: "irn" }, namespaces, controller, expiry: 0 };
    await publish(session, { id: id + 1, method: "wc_sessionSettle", params: settle }, 1102);
  }
  async function send(channel: Channel, { id, params }: Message): Promise<void> {
    if (refuses) return publish(channel, { id, error: { code: 5000, message: "User rejected." } }, 1109);
    const { request } = params as unknown as {
      request: { params: [{ to: `0x${string}`; data: `0x${string}` }] };
    };
    const [{ to, data }] = request.params;
    const result = await client.sendTransaction({ to, data, chain: null });
    return publish(channel, { id, result }, 1109);
  }
  const relay = openRelay({ url: relayUrl, projectId: "f".repeat(32) }, (topic, text) => {
    const channel = channels.get(topic);
    if (channel === undefined) return;
    const message = open(channel, text) as Message;
    if (message.method === "wc_sessionPropose") void propose(message);
    if (message.method === "wc_sessionRequest") void send(channel, message);
  });
  void relay.subscribe(pairing.topic);
  return { close: relay.close };
}
