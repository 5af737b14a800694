import { startServer } from "#lib/demo/server-process.ts";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { serverLog } from "#tests/support/kept-logs.ts";
import { PAYMENT_LINK } from "#tests/support/payment-link.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { type Load, lasting, load } from "./load.ts";
import { report, reportRatio } from "./report.ts";
import { sized } from "./sized.ts";

const COUNTS = sized([1, 2, 4], [1, 2]);
const CONNECTIONS = 16;
const SECONDS = 6;
const WARM_UP = sized(3_000, 20);

/**
 * Links that several web processes create together in a second, on one database. They, the load and PostgreSQL share this machine's
 * cores, so the ratio says what the processes cost each other, and more cores give more.
 */
export async function measureWebNodes(): Promise<void> {
  await using open = new AsyncDisposableStack();
  const stack = await startStack({ ROLES: "web", RATE_LIMIT: "999999/999999", LOG_LEVEL: "warn" });
  open.defer(() => stack.close());
  const nodes = [stack.baseUrl];
  let one = Number.NaN;
  for (const count of COUNTS) {
    while (nodes.length < count) {
      const port = String(await choosePort(0));
      const node = await startServer({ ...stack.env, PORT: port }, serverLog(stack.env.DATA_DIR ?? "", port));
      open.defer(() => node.stop());
      nodes.push(`http://127.0.0.1:${port}/v1`);
    }
    await createLinks(stack, nodes, { amount: Math.ceil(WARM_UP / count) });
    const runs = await createLinks(stack, nodes, lasting(SECONDS));
    const perSecond = runs.reduce((sum, run) => sum + run.perSecond, 0);
    if (count === 1) one = perSecond;
    report(`links created by ${count} web processes, a second`, perSecond.toFixed(0));
    if (count > 1) reportRatio(`${count} web processes, to one`, perSecond / one);
  }
}

/** Asks all nodes at once, each on its part of the connections. */
function createLinks(
  stack: Stack,
  nodes: readonly string[],
  until: ReturnType<typeof lasting>,
): Promise<Load[]> {
  return Promise.all(
    nodes.map((url) =>
      load({
        url: `${url}/payment-links`,
        method: "POST",
        headers: { "content-type": "application/json", "x-staging-api-key": stack.testKey },
        body: JSON.stringify(PAYMENT_LINK),
        connections: CONNECTIONS / nodes.length,
        ...until,
      }),
    ),
  );
}
