import { EVM_PROVIDERS } from "./evm-providers.ts";
import { OTHER_PROVIDERS } from "./other-providers.ts";
import type { Provider, ProviderPlan } from "./provider.ts";

/** Hosted providers, each with the pages its figures are from. */
export const PROVIDERS: readonly Provider[] = [...EVM_PROVIDERS, ...OTHER_PROVIDERS];

/** The provider to whom the URL's host belongs, or null. */
export function findProvider(url: string): Provider | null {
  const { hostname } = new URL(url);
  return PROVIDERS.find(({ hosts }) => hosts.test(hostname)) ?? null;
}

/** A figure for people. */
function showFigure(figure: number | null): string {
  if (figure === null) return "not published";
  return figure === Number.POSITIVE_INFINITY ? "no limit" : figure.toLocaleString("en-US");
}

/** The provider's row of the table in docs/operate/providers.md. */
export function toTableRow({ name, networks, free, paid, missing, sources }: Provider): string {
  const both = (read: (plan: ProviderPlan) => string | null) =>
    [free, ...(paid === null ? [] : [paid])]
      .map((plan) => `${plan.name} ${read(plan) ?? showFigure(null)}`)
      .join(", ");
  const cells = [
    name,
    networks.join(", "),
    both(({ perSecond }) => showFigure(perSecond)),
    both(({ quota }) => quota),
    both(({ logBlocks }) => showFigure(logBlocks)),
    missing.join(", "),
    `[page](${sources[0]})`,
  ];
  return `| ${cells.join(" | ")} |`;
}

function describePlan({ name, perSecond, logBlocks, batch, quota }: ProviderPlan): string {
  return [
    `plan "${name}": calls a second: ${showFigure(perSecond)}`,
    `blocks in eth_getLogs: ${showFigure(logBlocks)}`,
    `calls in a request: ${showFigure(batch)}`,
    `quota: ${quota ?? "not published"}`,
  ].join("; ");
}

/** Describes the published facts about a provider, in lines for people. */
export function describeProvider(provider: Provider): readonly string[] {
  const { name, free, paid, costs, missing, limitAnswer, note, sources, read } = provider;
  return [
    `provider: ${name} (its pages, read on ${read}; not measured)`,
    describePlan(free),
    ...(paid === null ? [] : [describePlan(paid)]),
    ...(costs === null ? [] : [`costs: ${costs}`]),
    ...(missing.length === 0 ? [] : [`missing methods: ${missing.join(", ")}`]),
    ...(limitAnswer === null ? [] : [`too many requests: ${limitAnswer}`]),
    ...(note === null ? [] : [note]),
    ...sources.map((source) => `source: ${source}`),
  ];
}
