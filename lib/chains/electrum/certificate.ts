import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { AdapterTools } from "../network.ts";
import type { Env } from "../network-data.ts";
import type { NetworkCode } from "../networks.ts";
import type { NodeCertificate } from "../node-certificates.ts";
import { NodeError } from "../node-error.ts";
import { connectSocket } from "./line-connection.ts";
import type { ServerUrl } from "./server-url.ts";

/** Reads the certificate that the server of an open connection showed. Null: it showed none. */
function readCertificate(socket: Socket): NodeCertificate | null {
  if (!(socket instanceof TLSSocket)) return null;
  const { fingerprint256 } = socket.getPeerCertificate();
  if (!fingerprint256) return null;
  return { fingerprint: fingerprint256.replaceAll(":", "").toLowerCase(), byAuthority: socket.authorized };
}

/**
 * Returns why a certificate is refused, as the rest of a sentence. Null: it is accepted. Most servers sign their own, so
 * the first one counts from then on. A certificate of a public authority may change, as they do every few months.
 */
export function findCertificateProblem(shown: NodeCertificate, stored: NodeCertificate): string | null {
  if (stored.byAuthority)
    return shown.byAuthority ? null : "its certificate is no longer of a public authority";
  if (shown.fingerprint === stored.fingerprint) return null;
  return `its certificate changed from ${stored.fingerprint} to ${shown.fingerprint}`;
}

/** Returns the check of one server's certificate (ConnectionOptions). */
export function createCertificateCheck(
  { certificates }: AdapterTools,
  scope: { readonly env: Env; readonly network: NetworkCode; readonly node: string },
): (socket: Socket) => Promise<string | null> {
  return async (socket) => {
    const shown = readCertificate(socket);
    if (shown === null) return "it shows no certificate";
    if (certificates === undefined)
      return shown.byAuthority ? null : "its certificate is of no public authority";
    const problem = findCertificateProblem(shown, await certificates.remember(scope, shown));
    return problem && `${problem}: accept it with \`paylink node trust ${scope.network} ${scope.node}\``;
  };
}

/** Connects only to read the certificate. Throws NodeError. */
export async function fetchCertificate(url: ServerUrl, connectMs: number): Promise<NodeCertificate> {
  const name = `${url.host}:${url.port}`;
  const socket = await connectSocket(url, { name, connectMs });
  const shown = readCertificate(socket);
  socket.destroy();
  if (shown === null) throw new NodeError("unreachable", `${name} shows no certificate`);
  return shown;
}
