import type { Desk } from "#app/console/session.ts";
import { type FirstStep, listFirstSteps } from "#components/console/first-step-rules.ts";
import { Icon } from "#components/ui/icon.tsx";
import type { Env } from "#lib/chains/network-data.ts";
import { findMerchant, listApiKeys } from "#lib/domain/merchants/queries.ts";
import { hasPaidLink } from "#lib/domain/payment-links/totals/queries.ts";
import { listEndpoints } from "#lib/domain/webhooks/queries.ts";
import { getServices } from "#lib/web/services.ts";

/** The first steps of a new merchant as a checklist. Nothing once they are done. */
export async function FirstSteps({ desk }: { desk: Desk }) {
  const steps = await readSteps(desk);
  if (steps.length === 0) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section className="panel gap-2" aria-labelledby="first-steps">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="first-steps" className="font-semibold">
          First steps
        </h2>
        <span className="text-sm text-muted tabular-nums">
          {done} of {steps.length} done
        </span>
      </div>
      <ul className="grid gap-x-6 text-sm sm:grid-cols-2">
        {steps.map((step) => (
          <Step key={step.text} step={step} base={desk.base} />
        ))}
      </ul>
    </section>
  );
}

function Step({ step: { text, isDone, page }, base }: { step: FirstStep; base: string }) {
  return (
    <li className="flex min-h-9 items-center gap-2.5">
      {isDone ? (
        <Icon name="check" className="size-4 text-good" />
      ) : (
        <span aria-hidden="true" className="mx-0.5 size-3 shrink-0 rounded-full border border-muted" />
      )}
      {isDone ? (
        <span className="text-muted">
          {text}
          <span className="sr-only">, done</span>
        </span>
      ) : (
        <a href={`${base.slice(0, base.lastIndexOf("/"))}/${page}`} className="link">
          {text}
        </a>
      )}
    </li>
  );
}

async function readSteps({ workplace: { merchantId, role } }: Desk): Promise<readonly FirstStep[]> {
  const { database, networks } = getServices();
  const has = (env: Env) => networks.list(env).length > 0;
  // Most merchants have been paid, and need no other query.
  const isPaidLive = has("live") && (await hasPaidLink(database.reads, { merchantId, env: "live" }));
  if (isPaidLive) return [];
  const [merchant, keys, isPaidTest] = await Promise.all([
    findMerchant(database.reads, merchantId),
    listApiKeys(database.reads, merchantId),
    hasPaidLink(database.reads, { merchantId, env: "test" }),
  ]);
  const factsOf = async (env: Env, hasPayment: boolean) => {
    if (!has(env)) return null;
    const endpoints = await listEndpoints(database.reads, { merchantId, env });
    return {
      hasKey: keys.some((key) => key.env === env),
      hasEndpoint: endpoints.some(({ url }) => url !== null),
      hasPayment,
    };
  };
  const facts = { test: await factsOf("test", isPaidTest), live: await factsOf("live", isPaidLive) };
  return listFirstSteps({ ...facts, contact: merchant !== null && merchant.support !== null }, role);
}
