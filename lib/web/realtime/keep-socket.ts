/** A lost connection is retried after a random delay of up to this, because a server restart disconnects all pages. */
const FIRST_RETRY_MS = 1_000;
/** The longest delay doubles with each failed attempt, up to this. */
const LONGEST_RETRY_MS = 5_000;
/** How long the server may be silent before it has named its own interval. */
const GREETING_MS = 20_000;

export interface SocketOptions {
  /** Such as "https://pay.example". */
  readonly origin: string;
  /** The subject that the page follows: a link, or a merchant's links. */
  readonly room: { readonly refid: string } | { readonly desk: string };
  /** Closes the socket for good. */
  readonly signal: AbortSignal;
  /** An event of the server with its values, unchecked. */
  onEvent(name: unknown, ...values: unknown[]): void;
  onDisconnect(): void;
  /** Receives each connection before it opens. For measurements. */
  readonly onSocket?: ((socket: WebSocket) => void) | undefined;
}

/**
 * Browser side of the socket: stays connected to a room until `signal` is aborted. It has the part of Socket.IO's
 * protocol 5 that a page needs. The library, with polling, upgrades and binary messages, is larger than all other
 * scripts of the page together.
 */
export function keepSocket({ origin, room, signal, onEvent, onDisconnect, onSocket }: SocketOptions): {
  isConnected(): boolean;
} {
  const url = `${origin.replace("http", "ws")}/realtime/?EIO=4&transport=websocket`;
  let socket: WebSocket | null = null;
  let isConnected = false;
  let attempts = 0;
  let patienceMs = GREETING_MS;
  let [silence, retry]: ReturnType<typeof setTimeout>[] = [];

  function open(): void {
    socket = openSocket(url);
    if (socket !== null) listen(socket);
    else retryLater();
  }

  function listen(socket: WebSocket): void {
    onSocket?.(socket);
    socket.onclose = drop;
    socket.onmessage = ({ data }) => {
      try {
        receive(String(data));
        expectPacket();
      } catch {
        drop(); // A packet that cannot be read.
      }
    };
    patienceMs = GREETING_MS;
    expectPacket();
  }

  /** The server pings. A connection without pings is dead, even if nothing has closed it. */
  function expectPacket(): void {
    clearTimeout(silence);
    if (socket !== null) silence = setTimeout(drop, patienceMs);
  }

  function receive(packet: string): void {
    if (packet === "2") {
      // Only now: a server that accepts and then closes would be asked without delay.
      attempts = 0;
      socket?.send("3");
    } else if (packet.startsWith("0")) {
      const { pingInterval, pingTimeout } = JSON.parse(packet.slice(1));
      patienceMs = pingInterval + pingTimeout;
      socket?.send(`40${JSON.stringify(room)}`);
    } else if (packet.startsWith("40")) isConnected = true;
    else if (packet.startsWith("42")) {
      const [name, ...values] = JSON.parse(packet.slice(2));
      onEvent(name, ...values);
    } else drop();
  }

  /** Does not wait for the other side, which may be unreachable. */
  function drop(): void {
    if (socket === null) return;
    socket.onclose = socket.onmessage = null;
    socket.close();
    socket = null;
    clearTimeout(silence);
    if (isConnected) onDisconnect();
    isConnected = false;
    retryLater();
  }

  function retryLater(): void {
    if (signal.aborted) return;
    retry = setTimeout(open, Math.random() * Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempts));
    attempts += 1;
  }

  window.addEventListener("offline", drop, { signal });
  signal.addEventListener("abort", () => clearTimeout(retry));
  signal.addEventListener("abort", drop);
  open();
  return { isConnected: () => isConnected };
}

/** Returns null if a policy or an extension forbids sockets: the page then asks for versions. */
function openSocket(url: string): WebSocket | null {
  try {
    return new WebSocket(url);
  } catch {
    return null;
  }
}
