import { Hono } from "hono";
import { html } from "hono/html";
import type { DevChain, PayRequest } from "./chains/dev-chain.ts";
import { layout } from "./layout.ts";

const AMOUNT = /^\d{1,12}(\.\d{1,18})?$/;
const MOST_BLOCKS = 100;

/** The chain of a request, and the request. */
function readRequest(
  chains: readonly DevChain[],
  text: string,
): { chain: DevChain; request: PayRequest } | null {
  for (const chain of chains) {
    const request = chain.readRequest(text.trim());
    if (request !== null) return { chain, request };
  }
  return null;
}

/** A wallet with many development coins, and a button that mines. */
export function demoWallet(chains: readonly DevChain[]): Hono {
  const app = new Hono();
  app.get("/wallet", async (c) => {
    const heights = await Promise.all(chains.map((chain) => chain.height().catch(() => null)));
    const { sent, problem } = c.req.query();
    return c.html(
      layout(
        "Demo wallet",
        html`<section><h1>Demo wallet</h1><p class="soft">Plays the customer's wallet on the development chains.</p>
${sent ? html`<p role="status">✓ Sent. Transaction <code>${sent}</code></p>` : ""}
${problem ? html`<p role="alert">✗ ${problem}</p>` : ""}
<form method="post" action="/wallet/send">
<label>Address, or what the QR code says<input name="to" required autocomplete="off"></label>
<label>Amount (empty: the one in the QR code)<input name="amount" inputmode="decimal" autocomplete="off"></label>
<button>Send</button></form></section>
<section><h2>Mine</h2><p class="soft">Payments become final with the blocks that follow them.</p>
<table>${chains.map(
          (
            chain,
            i,
          ) => html`<tr><td>${chain.title}</td><td class="soft">block ${heights[i] ?? "unknown: the node does not answer"}</td>
<td><form method="post" action="/wallet/mine/${chain.network}"><div class="row"><input name="blocks" type="number" min="1" max="${MOST_BLOCKS}" value="3" aria-label="Blocks on ${chain.title}"><button>Mine</button></div></form></td></tr>`,
        )}</table></section>`,
      ),
    );
  });
  app.post("/wallet/send", async (c) => {
    const form = await c.req.parseBody();
    const refuse = (text: string) => c.redirect(`/wallet?problem=${encodeURIComponent(text)}`, 303);
    const read = readRequest(chains, String(form.to ?? ""));
    if (read === null) return refuse("that is neither an address nor a payment request of these chains");
    const amount = String(form.amount ?? "").trim() || read.request.amount;
    if (amount === null || !AMOUNT.test(amount)) return refuse("say how much to send");
    try {
      const { address, coin = false } = read.request;
      return c.redirect(`/wallet?sent=${await read.chain.send(address, amount, { coin })}`, 303);
    } catch (error) {
      return refuse(error instanceof Error ? error.message : String(error));
    }
  });
  app.post("/wallet/mine/:network", async (c) => {
    const chain = chains.find((one) => one.network === c.req.param("network"));
    if (chain === undefined) return c.notFound();
    const blocks = Number.parseInt(String((await c.req.parseBody()).blocks ?? "1"), 10);
    await chain.mine(Math.min(Math.max(Number.isNaN(blocks) ? 1 : blocks, 1), MOST_BLOCKS));
    return c.redirect("/wallet", 303);
  });
  return app;
}
