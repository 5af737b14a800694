import { connect, type Socket } from "node:net";
import type pg from "pg";

/** The wait between two looks at a connection. */
const LOOK_MS = 5_000;
/** The time that a server may take to answer a new connection. */
const ANSWER_MS = 5_000;
/** SSLRequest: PostgreSQL and PgBouncer answer it with one byte before anyone signs in, and log nothing. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Ends a connection that owes an answer when its server also answers no new connection. TCP's keepalive finds a vanished machine only while
 * everything that was sent has arrived. Otherwise Linux sends it again for 15 minutes (net.ipv4.tcp_retries2), and the query would
 * wait as long. A limit for queries is no solution: a check of the ledger may take minutes, and a commit waits for its standby.
 */
export function endIfServerVanishes(client: pg.Client): void {
  const { connection, host } = client;
  // A socket file is on this machine, whose kernel ends it with the server.
  if (host.startsWith("/")) return;
  // TLS replaces the stream.
  const stream = () => connection.stream as Socket;
  // After a failover the name of the host can be that of another machine, which answers. A connection that has just ended has no address.
  const { remoteAddress = host, remotePort = client.port } = stream();
  let answered = stream().bytesWritten;
  let seen = "";
  let isProbing = false;
  // Before the driver's own listener, which sends the next query if one waits.
  connection.prependListener("readyForQuery", () => {
    answered = stream().bytesWritten;
  });

  const look = async () => {
    const { bytesRead, bytesWritten } = stream();
    const isSilent = seen === `${bytesRead} ${bytesWritten}`;
    seen = `${bytesRead} ${bytesWritten}`;
    if (bytesWritten === answered || !isSilent || isProbing) return;
    isProbing = true;
    const isThere = await answers(remoteAddress, remotePort);
    isProbing = false;
    if (!isThere && stream().bytesRead === bytesRead)
      stream().destroy(new Error("The server of a query under way does not answer any more."));
  };
  const timer = setInterval(() => void look(), LOOK_MS).unref();
  connection.once("end", () => clearInterval(timer));
}

/** Whether anything answers at this address. A machine without a listener refuses, and a balancer without a server ends it. */
function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect({ host, port });
    const end = (isThere: boolean) => {
      clearTimeout(timer);
      probe.destroy();
      resolve(isThere);
    };
    const timer = setTimeout(end, ANSWER_MS, false);
    probe.once("connect", () => probe.write(SSL_REQUEST));
    probe.once("data", () => end(true));
    probe.once("end", () => end(true));
    probe.once("error", ({ code }: NodeJS.ErrnoException) =>
      end(code === "ECONNREFUSED" || code === "ECONNRESET"),
    );
  });
}
