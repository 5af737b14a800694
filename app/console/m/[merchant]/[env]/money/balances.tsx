import { priceText, rateText, tokenText } from "#components/checkout/money-text.ts";
import { LocalTime } from "#components/console/local-time.tsx";
import type { ValuedBalance, valueBalances } from "#lib/domain/ledger/balance-rules.ts";
import type { CurrencyCode } from "#lib/platform/money/currencies.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";

/** The balance of each token, with its value in the merchant's currency where sources agree on a rate. */
export function Balances({
  balances,
  total,
  unvalued,
  currency,
}: ReturnType<typeof valueBalances> & { readonly currency: CurrencyCode }) {
  if (balances.length === 0)
    return (
      <p className="panel text-sm text-muted">
        Nothing was credited yet. Payments are credited here when they are final.
      </p>
    );
  const names = unvalued.map((token) => token.toUpperCase()).join(" and ");
  return (
    <section className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3" aria-label="Balances">
      {balances.map((balance) => (
        <Balance key={balance.token} balance={balance} currency={currency} />
      ))}
      {balances.length > 1 && unvalued.length < balances.length && (
        <p className="text-sm text-muted sm:col-span-full">
          Together about <b className="text-ink">{priceText(total, currency, "en")}</b>
          {names !== "" && `, without ${names}`}.
        </p>
      )}
    </section>
  );
}

function Balance({
  balance: { token, amount, worth },
  currency,
}: {
  balance: ValuedBalance;
  currency: CurrencyCode;
}) {
  return (
    <div className="panel content-start gap-1 sm:p-4">
      <h2 className="text-sm text-muted">{TOKENS[token].name}</h2>
      <p className="text-xl font-semibold break-all tabular-nums">{tokenText(amount, token, "en")}</p>
      {worth === null ? (
        <p className="text-xs text-muted">No value: no two sources agree on a rate now.</p>
      ) : (
        <>
          <p className="tabular-nums">about {priceText(worth.value, currency, "en")}</p>
          <p className="text-xs break-words text-muted tabular-nums">
            at {rateText(worth.rate.price, currency, "en")} ({worth.rate.source}),{" "}
            <LocalTime at={worth.rate.at} />
          </p>
        </>
      )}
    </div>
  );
}
