import { Hono } from "hono";
import { html } from "hono/html";
import type { DevChain, PayRequest } from "#lib/dev-chains/dev-chain.ts";
import { layout } from "./layout.ts";

const AMOUNT = /^\d{1,12}(\.\d{1,18})?$/;
const MOST_BLOCKS = 100;

/** A chain that understands what was entered, and what it understood. */
interface Reading {
  readonly chain: DevChain;
  readonly request: PayRequest;
}

/** Every chain of the request. An address can fit several: all EVM networks share the form. */
function readRequest(chains: readonly DevChain[], text: string): Reading[] {
  return chains.flatMap((chain) => {
    const request = chain.readRequest(text.trim());
    return request === null ? [] : [{ chain, request }];
  });
}

/** The content of the form: the last payment or problem, and the texts that were entered. */
interface Shown {
  readonly sent?: string | undefined;
  /** The chain of `sent`. */
  readonly on?: string | undefined;
  readonly problem?: string | undefined;
  readonly to?: string | undefined;
  readonly amount?: string | undefined;
}

/** A wallet with many development coins, and a button that mines. */
export function demoWallet(chains: readonly DevChain[]): Hono {
  const app = new Hono();
  app.get("/wallet", async (c) => {
    const heights = await Promise.all(chains.map((chain) => chain.height().catch(() => null)));
    return c.html(
      layout("Demo wallet", html`${sendForm(chains, c.req.query())}${mineForms(chains, heights)}`),
    );
  });
  app.post("/wallet/send", async (c) => {
    const form = await c.req.parseBody();
    const [to, amount, network] = [form.to, form.amount, form.network].map((text) =>
      String(text ?? "").trim(),
    );
    const show = (shown: Record<string, string>) => c.redirect(`/wallet?${new URLSearchParams(shown)}`, 303);
    const refuse = (problem: string) => show({ problem, to: to ?? "", amount: amount ?? "" });
    const readings = readRequest(chains, to ?? "");
    if (readings.length === 0)
      return refuse("copy the deposit address from the payment page: this is no address of these chains");
    const reading = readings.find(({ chain }) => readings.length === 1 || chain.network === network);
    if (reading === undefined) return show({ to: to ?? "", amount: amount ?? "" });
    const { chain, request } = reading;
    const value = amount || request.amount;
    if (value === null || !AMOUNT.test(value)) return refuse("say how much to send");
    try {
      const { address, coin = false } = request;
      return show({ sent: await chain.send(address, value, { coin }), on: chain.title });
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

function sendForm(chains: readonly DevChain[], { sent, on, problem, to = "", amount = "" }: Shown) {
  const readings = readRequest(chains, to);
  return html`<section><h1>Demo wallet</h1><p class="soft">Plays the customer's wallet on the development chains.</p>
${sent ? html`<p role="status">✓ Sent: ${on}. Transaction <code>${sent}</code></p>` : ""}
${problem ? html`<p role="alert">✗ ${problem}</p>` : ""}
<form method="post" action="/wallet/send">
<label>Address, or what the QR code says<input name="to" value="${to}" required autocomplete="off"></label>
${
  readings.length > 1
    ? html`<p role="status">This address exists on several networks. Choose one, and press Send again.</p>
<label>Network<select name="network" required><option value="">Choose the network of the payment page</option>${readings.map(
        ({ chain }) => html`<option value="${chain.network}">${chain.title}</option>`,
      )}</select></label>`
    : ""
}
<label>Amount (empty: the one in the QR code)<input name="amount" value="${amount}" inputmode="decimal" autocomplete="off"></label>
<button>Send</button></form></section>`;
}

function mineForms(chains: readonly DevChain[], heights: readonly (number | null)[]) {
  return html`<section><h2>Mine</h2><p class="soft">Payments become final with the blocks that follow them.</p>
<table>${chains.map(
    (
      chain,
      i,
    ) => html`<tr><td>${chain.title}<br><small>block ${heights[i] ?? "unknown: the node does not answer"}</small></td>
<td><form method="post" action="/wallet/mine/${chain.network}"><div class="row"><input name="blocks" type="number" min="1" max="${MOST_BLOCKS}" value="3" aria-label="Blocks on ${chain.title}"><button>Mine</button></div></form></td></tr>`,
  )}</table></section>`;
}
