import type { Metadata } from "next";
import { readEnv, requireOperator } from "#app/console/session.ts";
import { readNotice } from "#components/console/notices.ts";
import { EnvTabs, OperatorFrame } from "#components/console/operator-frame.tsx";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { Field } from "#components/console/plain-page.tsx";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { listNetworkSettings, listTokenSettings } from "#lib/domain/settings/queries.ts";
import { amountDecimals, TOKEN_AMOUNTS } from "#lib/domain/settings/rules.ts";
import type { NetworkSettings, TokenSettings } from "#lib/domain/settings/types.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { getServices } from "#lib/web/services.ts";
import { saveNetwork, saveToken } from "./actions.ts";

export const metadata: Metadata = { title: "Settings" };

const AMOUNT_TEXTS: Readonly<Record<(typeof TOKEN_AMOUNTS)[number], string>> = {
  minimumReceive: "Smallest payment",
  maximumReceive: "Largest payment, shown to merchants",
  minimumSend: "Smallest withdrawal",
  maximumSend: "Largest withdrawal",
  sendFee: "Least fee of a withdrawal",
  minimumTrade: "Smallest buy",
  maximumTrade: "Largest buy",
  minimumFee: "Least fee of a buy, in USDT",
};

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ searchParams }: PageProps) {
  await requireOperator();
  const query = await searchParams;
  const env = readEnv(query.env);
  const { db } = getServices().database;
  const [networks, tokens] = await Promise.all([listNetworkSettings(db, env), listTokenSettings(db, env)]);
  return (
    <OperatorFrame section="Settings" notice={readNotice(query.notice)}>
      <EnvTabs env={env} />
      <p className="text-sm text-muted">Changes have effect at once, in every process.</p>
      <section className="panel" aria-labelledby="networks">
        <h2 id="networks" className="font-semibold">
          Networks
        </h2>
        {networks.map((row) => (
          <NetworkForm key={row.id} row={row} />
        ))}
      </section>
      <section className="panel" aria-labelledby="tokens">
        <h2 id="tokens" className="font-semibold">
          Tokens
        </h2>
        {tokens.map((row) => (
          <TokenForm key={row.id} row={row} />
        ))}
      </section>
    </OperatorFrame>
  );
}

function Flag({ name, label, isOn }: { name: string; label: string; isOn: boolean }) {
  return (
    <label className="flex min-h-6 items-center gap-2 text-sm">
      <input type="checkbox" name={name} value="yes" defaultChecked={isOn} />
      {label}
    </label>
  );
}

const stateText = (isOn: boolean) => (isOn ? "" : " (off)");

function NetworkForm({ row }: { row: NetworkSettings }) {
  const { env, network, status, receive, send, generate, unpaidAddresses } = row;
  const name = NETWORKS[network as NetworkCode]?.name ?? network;
  return (
    <details className="border-t border-line pt-3">
      <summary className="cursor-pointer text-sm font-medium">
        {name}
        {stateText(status)}
      </summary>
      <form action={saveNetwork} className="mt-3 grid gap-3" aria-label={name}>
        <PlaceFields of={{ env, network }} />
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          <Flag name="status" label="On" isOn={status} />
          <Flag name="receive" label="Receive" isOn={receive} />
          <Flag name="generate" label="New addresses" isOn={generate} />
          <Flag name="send" label="Withdrawals" isOn={send} />
        </div>
        <div className="max-w-xs">
          <Field
            label="Addresses of a merchant that nobody has paid"
            name="unpaidAddresses"
            required
            inputMode="numeric"
            defaultValue={unpaidAddresses}
            maxLength={10}
          />
        </div>
        <button type="submit" className="button-small justify-self-start">
          Save
        </button>
      </form>
    </details>
  );
}

function TokenForm({ row }: { row: TokenSettings }) {
  const { env, token, status, receive, send, buy } = row;
  const { name } = TOKENS[token];
  return (
    <details className="border-t border-line pt-3">
      <summary className="cursor-pointer text-sm font-medium">
        {name} ({token.toUpperCase()}){stateText(status)}
      </summary>
      <form action={saveToken} className="mt-3 grid gap-3" aria-label={name}>
        <PlaceFields of={{ env, token }} />
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          <Flag name="status" label="On" isOn={status} />
          <Flag name="receive" label="Receive" isOn={receive} />
          <Flag name="send" label="Withdrawals" isOn={send} />
          <Flag name="buy" label="Buying" isOn={buy} />
        </div>
        <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
          {TOKEN_AMOUNTS.map((amount) => (
            <Field
              key={amount}
              label={AMOUNT_TEXTS[amount]}
              name={amount}
              required
              inputMode="decimal"
              autoComplete="off"
              maxLength={40}
              defaultValue={formatAmount(row[amount], amountDecimals(token, amount))}
            />
          ))}
        </div>
        <button type="submit" className="button-small justify-self-start">
          Save
        </button>
      </form>
    </details>
  );
}
