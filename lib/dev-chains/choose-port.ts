import { createServer } from "node:net";

/** Returns `wanted` if it is free on 127.0.0.1 and not in `taken`, else any free port. */
export async function choosePort(wanted: number, taken?: number): Promise<number> {
  return (wanted !== taken && (await tryPort(wanted))) || (await tryPort(0)) || 0;
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : null));
    });
  });
}
