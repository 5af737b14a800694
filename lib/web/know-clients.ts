import type { RequestListener } from "node:http";
import { withClientAddress } from "#lib/platform/client-address.ts";
import { resolveClientAddress } from "#lib/web/api/client-address.ts";

/** Lets everything that a request causes know the address of its client (lib/platform/client-address.ts). */
export function knowClients(listener: RequestListener, trustedProxies: readonly string[]): RequestListener {
  return (request, response) => {
    const { socket, headers } = request;
    const forwarded = headers["x-forwarded-for"];
    const address = resolveClientAddress(socket.remoteAddress ?? "", forwarded, trustedProxies);
    withClientAddress(address, () => listener(request, response));
  };
}
