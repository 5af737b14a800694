import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/** Below the ports that systems give to outgoing connections: one of those could take the port of a server that starts again. */
const FIRST = 15_000;
const END = 32_000;
const MOST_TRIES = 1_000;

/**
 * Returns `wanted` if it is free on 127.0.0.1 and not in `taken`, else any free port. 0 wants any. Nobody gets such a port a second time,
 * in no process, while this one runs: its server may not have started yet.
 */
export async function choosePort(wanted: number, taken?: number): Promise<number> {
  let port = wanted === 0 ? randomInt(FIRST, END) : wanted;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    // Reserved first: the look itself takes the port for an instant, which may be that of another process's server.
    if (port !== taken && (port === wanted || (await reserve(port))) && (await isFree(port))) return port;
    port = randomInt(FIRST, END);
  }
  throw new Error("no port is free on 127.0.0.1");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/** Holds the port of UDP with the same number, which no server here uses, until this process ends. False: it is held already. */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.once("error", () => socket.close(() => resolve(false)));
    socket.bind({ port, address: "127.0.0.1", exclusive: true }, () => resolve(true));
    socket.unref();
  });
}
