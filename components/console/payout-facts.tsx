/** The facts that a person compares before they approve a withdrawal: network, amount and destination, large. */
export function PayoutFacts({
  network,
  amount,
  address,
}: {
  network: string;
  amount: string;
  address: string;
}) {
  return (
    <dl className="grid gap-3" data-testid="payout">
      <div>
        <dt className="text-sm text-muted">Receives</dt>
        <dd className="text-3xl font-semibold break-all tabular-nums">{amount}</dd>
      </div>
      <div>
        <dt className="text-sm text-muted">Network</dt>
        <dd className="text-xl font-medium">{network}</dd>
      </div>
      <div>
        <dt className="text-sm text-muted">To the address</dt>
        <dd className="font-mono text-xl leading-relaxed" data-testid="destination">
          <bdi>
            {inFours(address).map((part, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the address never changes
              <span key={at} className={`me-2 inline-block break-all ${at % 2 === 0 ? "" : "text-accent"}`}>
                {part}
              </span>
            ))}
          </bdi>
        </dd>
      </div>
    </dl>
  );
}

/** Four characters at a time are easier to compare. A copy of them is the address. */
const inFours = (text: string): readonly string[] => text.match(/.{1,4}/gsu) ?? [];
