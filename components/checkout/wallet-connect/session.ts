import { bytesToHex } from "@noble/hashes/utils.js";
import type { WalletProvider } from "../browser-wallet/find-wallets.ts";
import { agreeOnChannel, type Channel, newChannel, newKeyPair, open, seal } from "./envelope.ts";
import { type Delivery, openRelay, type Relay, type RelayOptions } from "./relay.ts";

const FIVE_MINUTES = 300;

/** Methods of the sign protocol, with the tags of request and answer (specification, Sign, RPC methods). */
const TAGS: Readonly<Record<string, readonly [number, number]>> = {
  wc_sessionPropose: [1100, 1101],
  wc_sessionSettle: [1102, 1103],
  wc_sessionUpdate: [1104, 1105],
  wc_sessionExtend: [1106, 1107],
  wc_sessionRequest: [1108, 1109],
  wc_sessionEvent: [1110, 1111],
  wc_sessionDelete: [1112, 1113],
  wc_sessionPing: [1114, 1115],
  wc_pairingDelete: [1000, 1001],
  wc_pairingPing: [1002, 1003],
};
/** The payer refused in the wallet, as the protocol and as EIP-1193 say it. */
const REFUSED_CODES: ReadonlySet<unknown> = new Set([5000, 5001, 5002]);

interface Message {
  readonly id: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: string };
}

export interface SessionOptions extends RelayOptions {
  /** EIP-695 chain id: 0x and hex digits. */
  readonly chainId: string;
  /** The page, as the wallet shows it. */
  readonly page: { readonly name: string; readonly url: string };
}

/** A pairing that waits for a wallet. */
export interface Pairing {
  /** For the code that a wallet scans, and for its link (specification, Pairing URI). */
  readonly uri: string;
  /** The wallet's session as a provider. Rejects when the wallet refuses. */
  readonly provider: Promise<WalletProvider>;
  close(): void;
}

/** Offers a session for one EVM chain, as WalletConnect 2 does, with nothing but the payment asked of the wallet. */
export function openPairing(options: SessionOptions): Pairing {
  const pairing = newChannel();
  const keys = newKeyPair();
  const expiry = Math.floor(Date.now() / 1_000) + FIVE_MINUTES;
  const line = openLine(options);
  const provider = (async () => {
    await line.listen(pairing);
    const { result } = await line.ask(pairing, "wc_sessionPropose", {
      requiredNamespaces: {},
      optionalNamespaces: { eip155: composeNamespace(options) },
      relays: [{ protocol: "irn" }],
      pairingTopic: pairing.topic,
      proposer: { publicKey: keys.publicKey, metadata: composeMetadata(options) },
      expiryTimestamp: expiry,
    });
    const { responderPublicKey } = result as { responderPublicKey: string };
    const session = agreeOnChannel(keys, responderPublicKey);
    const settled = line.settled(session.topic);
    await line.listen(session);
    return createProvider(line, session, await settled, options);
  })();
  provider.catch(() => {});
  const query = `relay-protocol=irn&symKey=${bytesToHex(pairing.key)}&expiryTimestamp=${expiry}`;
  return { uri: `wc:${pairing.topic}@2?${query}`, provider, close: line.close };
}

const composeNamespace = ({ chainId }: SessionOptions) => ({
  chains: [`eip155:${Number(chainId)}`],
  methods: ["eth_sendTransaction"],
  events: ["chainChanged", "accountsChanged"],
});

const composeMetadata = ({ page }: SessionOptions) => ({ ...page, description: page.name, icons: [] });

/** Questions and answers over the channels of a relay. */
interface Line {
  listen(channel: Channel): Promise<void>;
  ask(channel: Channel, method: string, params: object): Promise<Message>;
  /** The parameters with which the wallet settles a session of this topic. */
  settled(topic: string): Promise<Readonly<Record<string, unknown>>>;
  close(): void;
}

function openLine(options: RelayOptions): Line {
  const channels = new Map<string, Channel>();
  const asked = new Map<number, (answer: Message) => void>();
  const settling = new Map<string, (params: Readonly<Record<string, unknown>>) => void>();
  let nextId = Date.now() * 1_000;
  const relay: Relay = openRelay(options, (topic, text) => {
    const channel = channels.get(topic);
    if (channel !== undefined) receive(channel, open(channel, text) as Message);
  });
  const publish = (channel: Channel, message: object, delivery: Delivery) =>
    relay.publish(channel.topic, seal(channel, message), delivery);
  function receive(channel: Channel, message: Message): void {
    const { id, method } = message;
    if (method === undefined) {
      asked.get(id)?.(message);
      asked.delete(id);
      return;
    }
    const tag = TAGS[method]?.[1];
    if (tag === undefined) return;
    void publish(channel, { id, jsonrpc: "2.0", result: true }, { tag, ttl: FIVE_MINUTES }).catch(() => {});
    if (method === "wc_sessionSettle") settling.get(channel.topic)?.(message.params ?? {});
  }
  return {
    async listen(channel) {
      channels.set(channel.topic, channel);
      await relay.subscribe(channel.topic);
    },
    async ask(channel, method, params) {
      const id = nextId++;
      const [tag = 0] = TAGS[method] ?? [];
      const answer = new Promise<Message>((resolve, reject) => {
        asked.set(id, resolve);
        // The request has expired.
        setTimeout(() => reject(new Error("no answer from the wallet")), FIVE_MINUTES * 1_000);
      });
      answer.catch(() => {});
      await publish(
        channel,
        { id, jsonrpc: "2.0", method, params },
        { tag, ttl: FIVE_MINUTES, prompt: true },
      );
      const said = await answer;
      if (said.error === undefined) return said;
      const { code, message = "" } = said.error;
      throw Object.assign(new Error(message), { code: REFUSED_CODES.has(code) ? 4001 : code });
    },
    settled: (topic) => new Promise((resolve) => settling.set(topic, resolve)),
    close: relay.close,
  };
}

/** The session as an EIP-1193 provider that can do one thing: send the payment. */
function createProvider(
  line: Line,
  session: Channel,
  settled: Readonly<Record<string, unknown>>,
  { chainId }: SessionOptions,
): WalletProvider {
  const chain = `eip155:${Number(chainId)}`;
  const { eip155 } = (settled.namespaces ?? {}) as { eip155?: { accounts?: readonly string[] } };
  const accounts = (eip155?.accounts ?? []).filter((account) => account.startsWith(`${chain}:`));
  return {
    async request({ method, params = [] }) {
      switch (method) {
        case "eth_requestAccounts":
          return (eip155?.accounts ?? []).map((account) => account.split(":")[2]);
        case "eth_chainId":
          // A wallet that left the chain out of its session cannot pay on it.
          return accounts.length > 0 ? chainId : "0x0";
        case "eth_sendTransaction": {
          const request = { method, params, expiryTimestamp: Math.floor(Date.now() / 1_000) + FIVE_MINUTES };
          const { result } = await line.ask(session, "wc_sessionRequest", { request, chainId: chain });
          return result;
        }
        default:
          throw Object.assign(new Error(`${method} is not asked of this wallet`), { code: 4200 });
      }
    },
  };
}
