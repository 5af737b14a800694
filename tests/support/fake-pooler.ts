/**
 * A fake pooler in transaction mode: all clients share one connection to PostgreSQL, and each has it for one transaction. It lets
 * everyone in without a password.
 */
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { TestContext } from "node:test";
import pg from "pg";

/** Authentication succeeded, and the server is ready. */
const WELCOME = Buffer.from("520000000800000000" + "5a0000000549", "hex");
const READY = "Z".charCodeAt(0);
const IDLE = "I".charCodeAt(0);
const TERMINATE = "X".charCodeAt(0);

interface Waiting {
  readonly client: Socket;
  readonly messages: Buffer[];
}

/** Starts the pooler before the database of `url`. Returns its address of that database. */
export async function startFakePooler(t: TestContext, url: string): Promise<string> {
  const behind = new pg.Client({ connectionString: url, application_name: "fake pooler" });
  behind.on("error", () => {});
  await behind.connect();
  const { stream } = (behind as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  stream.removeAllListeners("data");
  const queue: Waiting[] = [];
  const serve = () => {
    const { messages } = queue[0] ?? { messages: [] };
    for (const message of messages.splice(0)) stream.write(message);
  };
  const readAnswers = splitMessages((message) => {
    queue[0]?.client.write(message);
    if (message[0] !== READY || message[5] !== IDLE) return;
    queue.shift();
    serve();
  });
  stream.on("data", readAnswers);
  const server = createServer((client) => {
    client.on("error", () => {});
    const readMessages = splitMessages((message) => {
      if (message[0] === TERMINATE) return void client.end();
      const own = queue.find((one) => one.client === client);
      if (own === undefined) queue.push({ client, messages: [message] });
      else own.messages.push(message);
      if (queue[0]?.client === client) serve();
    });
    client.once("data", () => {
      client.on("data", readMessages);
      client.write(WELCOME);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    stream.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(port) }).href;
}

/** Calls `onMessage` with each whole message of PostgreSQL's protocol: a byte for its type, then its length. */
function splitMessages(onMessage: (message: Buffer) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (data) => {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1;
      onMessage(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}
