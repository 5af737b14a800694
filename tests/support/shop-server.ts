import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A shop's own web server. Every path returns the page registered for it, with a content security policy. */
export interface ShopServer {
  /** Origin by host name: `localhost` and `127.0.0.1` are two sites to a browser. */
  origin(host?: "127.0.0.1" | "localhost"): string;
  /** Serves `html` at `path` from now on. */
  show(path: string, html: string, policy?: string): void;
  /** Serves a script at this path. */
  serve(path: string, script: string): void;
  close(): Promise<void>;
}

export async function startShopServer(): Promise<ShopServer> {
  const pages = new Map<string, { text: string; type: string; policy?: string | undefined }>();
  const server = createServer((request, response) => {
    const page = pages.get(request.url?.split("?", 1)[0] ?? "");
    response.writeHead(page === undefined ? 404 : 200, {
      "content-type": `text/${page?.type ?? "html"}; charset=utf-8`,
      ...(page?.policy === undefined ? {} : { "content-security-policy": page.policy }),
    });
    response.end(page?.text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: (host = "localhost") => `http://${host}:${port}`,
    show: (path, html, policy) => pages.set(path, { text: html, type: "html", policy }),
    serve: (path, script) => pages.set(path, { text: script, type: "javascript" }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
