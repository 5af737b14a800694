import { pino } from "pino";
import { claimDeliveries, deliverWebhook } from "#lib/domain/webhooks/deliver-webhook.ts";
import { listEndpoints } from "#lib/domain/webhooks/queries.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { SECRET_KEY, type TestApi, type TestMerchant } from "#tests/support/api.ts";
import { agent } from "#tests/unit/domain/webhooks/receiver.ts";

/** Makes every attempt that is due at the first test endpoint of a merchant, as the worker does. */
export async function sendDue(api: TestApi, { id }: TestMerchant, now: () => Date): Promise<void> {
  const [endpoint] = await listEndpoints(api.database.db, { merchantId: id, env: "test" });
  await sendDueAt(api, endpoint!.id, now);
}

/** The same at an endpoint, also what follows in the order of a link. */
export async function sendDueAt(
  { database: { db } }: TestApi,
  endpointId: number,
  now: () => Date = () => new Date(),
): Promise<void> {
  const deps = {
    ...{ db, agent, secrets: openSecrets(SECRET_KEY), log: pino({ level: "silent" }) },
    ...{ now, timeoutMs: 5_000, signal: new AbortController().signal },
  };
  // After a failure, an endpoint first gets a single event. Of a link, it gets one after another.
  for (let more = true; more; ) {
    const found = await claimDeliveries(deps, endpointId, 10);
    for (const one of found.claimed) await (await deliverWebhook(deps, one)).stored;
    more = found.more || found.claimed.some(({ orderedBy }) => orderedBy !== null);
  }
}
