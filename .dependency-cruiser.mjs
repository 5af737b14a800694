/** The import gate: which room may import which (docs/architecture.md). Run by tests/check-imports.ts. */
const ROOMS =
  "sandbox|wallets|deposits|ledger|payment-links|withdrawals|webhooks|merchants|rates|settings|audit";
const room = `^lib/(${ROOMS})/`;
const edge = "^(app|components)/|^lib/(api|server|cli|realtime|widget)/";

/** Rooms in order: each may use the ones after it, never one before it. */
const ORDER = [
  "sandbox",
  "deposits",
  "withdrawals",
  "payment-links",
  "ledger",
  "wallets",
  "merchants",
  "webhooks",
  "rates",
  "settings",
  "audit",
];

export default {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "foundations-know-no-room",
      comment: "money, networks, languages, internet, log and db are what rooms stand on",
      severity: "error",
      from: { path: "^lib/(money|networks|languages|internet|log|db)/" },
      to: { path: `${room}|${edge}|^lib/demo/` },
    },
    {
      name: "money-is-pure",
      severity: "error",
      from: { path: "^lib/money/" },
      to: { pathNot: "^lib/money/" },
    },
    {
      name: "languages-are-pure",
      severity: "error",
      from: { path: "^lib/languages/" },
      to: { pathNot: "^lib/languages/|node_modules/(@types/)?negotiator/" },
    },
    {
      name: "pictures-know-only-themselves",
      comment: "what is drawn is told in plain texts; the thread that draws loads nothing of the program",
      severity: "error",
      from: { path: "^lib/pictures/" },
      to: { path: "^(app|components|lib|tests)/", pathNot: "^lib/pictures/" },
    },
    {
      name: "rooms-know-no-edge",
      severity: "error",
      from: { path: room },
      to: { path: edge },
    },
    {
      name: "store-is-private",
      comment: "a room uses another room's use cases and types, never its SQL",
      severity: "error",
      from: { path: "^lib/([^/]+)/" },
      to: { path: "^lib/[^/]+/store\\.ts$", pathNot: "^lib/$1/" },
    },
    {
      name: "store-is-not-for-pages",
      severity: "error",
      from: { path: "^(app|components)/" },
      to: { path: "^lib/[^/]+/store\\.ts$" },
    },
    {
      name: "rules-are-pure",
      comment: "rules import rules, types, money, and the networks' data; no I/O",
      severity: "error",
      from: { path: "^lib/.*rules\\.ts$" },
      to: {
        pathNot:
          "rules\\.ts$|/types\\.ts$|^lib/money/|^lib/networks/(networks|network-data)\\.ts$|^lib/networks/data/",
      },
    },
    ...ORDER.slice(1).map((name, i) => ({
      name: `${name}-comes-after`,
      severity: "error",
      from: { path: `^lib/${name}/` },
      to: { path: `^lib/(${ORDER.slice(0, i + 1).join("|")})/` },
    })),
    {
      name: "demo-is-imported-by-nothing",
      severity: "error",
      from: { pathNot: "^(lib/demo|tests)/" },
      to: { path: "^lib/demo/" },
    },
    {
      name: "client-knows-no-server",
      comment: "what merchants run has nothing of this program in it but the shape of its answers",
      severity: "error",
      from: { path: "^lib/client/" },
      to: { path: "^(app|components|lib|tests)/", pathNot: "^lib/client/" },
    },
    {
      name: "widget-knows-no-server",
      comment: "what runs on a shop's page has nothing of this program in it",
      severity: "error",
      from: { path: "^lib/widget/" },
      to: { path: "^(app|components|lib|tests)/", pathNot: "^lib/widget/" },
    },
    {
      name: "tests-are-imported-by-nothing",
      severity: "error",
      from: { path: "^(app|components|lib)/" },
      to: { path: "^tests/" },
    },
    {
      name: "components-know-no-server",
      comment: "pieces of the page are given what they show",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^lib/(api|server|cli|db)/" },
    },
    {
      name: "services-are-wired-in-one-place",
      comment: "implementations are picked by lib/server alone",
      severity: "error",
      from: { path: room },
      to: { path: "^lib/networks/registry\\.ts$|^lib/rates/open-rates\\.ts$" },
    },
    {
      name: "wording-is-the-server's",
      comment: "what the browser runs is given its sentences: no language is shipped to it",
      severity: "error",
      from: { path: "^components/ui/|^components/checkout/live\\.tsx$|/error(-texts)?\\.tsx$" },
      to: { path: "^components/checkout/texts", dependencyTypesNot: ["type-only"] },
    },
    { name: "not-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(\\.next|node_modules)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
};
