/**
 * The baseline of webhooks: `node bare-post.ts <url> <requests> <at once>` posts with undici and prints the
 * milliseconds.
 */
import { Agent, request } from "undici";

const [url = "", requests = "0", atOnce = "1"] = process.argv.slice(2);
const dispatcher = new Agent({ pipelining: 1 });
const body = JSON.stringify({
  type: "deposit_credited",
  timestamp: new Date().toISOString(),
  data: { n: 1 },
});

async function post(n: number): Promise<void> {
  for (let i = 0; i < n; i++) {
    const answer = await request(url, {
      dispatcher,
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    await answer.body.dump();
  }
}

const each = Number(requests) / Number(atOnce);
const run = (n: number) => Promise.all(Array.from({ length: Number(atOnce) }, () => post(n)));
await run(Math.ceil(each / 10));
const started = performance.now();
await run(each);
process.send?.(performance.now() - started);
await dispatcher.close();
