import { openLineConnection } from "#lib/chains/electrum/line-connection.ts";
import { parseElectrumUrl } from "#lib/chains/electrum/server-url.ts";
import { NodeError } from "#lib/chains/node-error.ts";

/** A connection to an Electrum server, after its greeting unless `version` is null. */
export async function openTestClient(url: string, version: unknown = "1.4") {
  const notifications: [method: string, params: readonly unknown[]][] = [];
  const connection = await openLineConnection(parseElectrumUrl(url)!, {
    name: "test",
    timeoutMs: 30_000,
    connectMs: 10_000,
    checkCertificate: async () => null,
    onRequest: () => {},
    onNotification: (method, params) => notifications.push([method, params]),
    onClose: () => {},
  });
  const call = async (method: string, params: readonly unknown[]) => {
    const answer = await connection.call(method, params);
    if (!answer.ok) throw new Error(answer.message);
    return answer.result;
  };
  if (version !== null) await call("server.version", ["test", version]);
  return {
    /** The announcements, oldest first. */
    notifications,
    ask: connection.call,
    call,
    close: () => connection.close(new NodeError("unreachable", "closed")),
  };
}
