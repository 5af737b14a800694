/**
 * The import gate: which floor and which room may import which (docs/architecture.md).
 * tests/check-imports.ts runs it, and proves with planted violations that every rule works.
 */

/** The floors of lib, highest first. A floor imports only floors below it. */
export const FLOORS = ["cli", "signer", "server", "web", "domain", "dev-chains", "chains", "platform"];
/** Folders of lib outside the floors. */
export const OUTSIDE = ["demo"];
/** Folders of packages: published by themselves, so they import nothing of the program and not each other. */
export const PACKAGES = ["client", "widget"];
const floors = `^lib/(${FLOORS.join("|")})/`;

/** The rooms of lib/domain in order. A room imports only rooms after it. */
export const ROOMS = [
  "database",
  "proof",
  "sandbox",
  "deposits",
  "withdrawals",
  "notes",
  "pos",
  "forms",
  "payment-links",
  "ledger",
  "wallets",
  "members",
  "merchants",
  "mail",
  "webhooks",
  "delivery",
  "rates",
  "settings",
  "network-status",
  "nodes",
  "attention",
  "authority",
  "audit",
];

const STORE = "[/-]store\\.ts$";

export default {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-cycles-of-types",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "chains-base-knows-no-family",
      comment: "only the two tables of families import them",
      severity: "error",
      from: { path: "^lib/chains/[^/]+$", pathNot: "^lib/chains/(families|registry)\\.ts$" },
      to: { path: "^lib/chains/(electrum|evm|solana|tron|utxo|xrp)/" },
    },
    {
      name: "signer-knows-no-server",
      comment: "the process with the keys loads nothing that answers over the network",
      severity: "error",
      from: { path: "^lib/signer/" },
      to: { path: "^lib/(server|web)/" },
    },
    ...FLOORS.slice(1).map((floor, i) => ({
      name: `${floor}-imports-only-below`,
      severity: "error",
      from: { path: `^lib/${floor}/` },
      to: { path: `^(app|components|tests)/|^lib/(${FLOORS.slice(0, i + 1).join("|")})/` },
    })),
    {
      name: "cli-imports-only-below",
      severity: "error",
      from: { path: "^lib/cli/" },
      to: { path: "^(app|components|tests)/" },
    },
    {
      name: "floors-import-no-package",
      comment: "the client is what merchants install; only the page and the build use the widget",
      severity: "error",
      from: { path: floors },
      to: { path: "^packages/" },
    },
    {
      name: "money-is-pure",
      severity: "error",
      from: { path: "^lib/platform/money/" },
      to: { pathNot: "^lib/platform/money/" },
    },
    {
      name: "languages-are-pure",
      severity: "error",
      from: { path: "^lib/platform/languages/" },
      to: { pathNot: "^lib/platform/languages/|node_modules/(@types/)?negotiator/" },
    },
    {
      name: "look-is-pure",
      severity: "error",
      from: { path: "^lib/platform/look\\.ts$" },
      to: { path: "." },
    },
    {
      name: "pictures-know-only-themselves",
      comment: "the drawing thread receives plain texts and loads nothing else of the program but its colors",
      severity: "error",
      from: { path: "^lib/platform/pictures/" },
      to: { path: "^(app|components|lib|tests)/", pathNot: "^lib/platform/(pictures/|look\\.ts$)" },
    },
    {
      name: "stores-are-private",
      comment: "a room uses another room's use cases, queries and types, never its SQL",
      severity: "error",
      from: { path: "^lib/([^/]+/[^/]+)/" },
      to: { path: STORE, pathNot: "^lib/$1/" },
    },
    {
      name: "stores-are-private",
      comment: "the same for files directly in a floor's folder",
      severity: "error",
      from: { path: "^lib/[^/]+/[^/]+$" },
      to: { path: STORE },
    },
    {
      name: "tables-of-others-are-for-joins",
      comment: "another room's tables: for foreign keys, and for the joins of queries and stores",
      severity: "error",
      from: { path: "^lib/domain/([^/]+)/", pathNot: "/tables\\.ts$|queries\\.ts$|store\\.ts$" },
      to: { path: "^lib/domain/.*tables\\.ts$", pathNot: "^lib/domain/$1/" },
    },
    {
      name: "tables-of-others-are-for-joins",
      comment: "other floors, the page and the command read rooms by their queries",
      severity: "error",
      from: { path: "^(app|components|lib)/", pathNot: "^lib/domain/|^lib/web/api/tables\\.ts$" },
      to: { path: "^lib/domain/.*tables\\.ts$" },
    },
    {
      name: "stores-are-not-for-pages",
      severity: "error",
      from: { path: "^(app|components)/" },
      to: { path: STORE },
    },
    {
      name: "rules-are-pure",
      comment:
        "rules import rules, types, money, colors, event types, and the networks' data; no I/O; remember.ts keeps what a rule computed",
      severity: "error",
      from: { path: "^lib/.*rules\\.ts$" },
      to: {
        pathNot:
          "rules\\.ts$|/types\\.ts$|^lib/platform/(money/|look\\.ts$|json-text\\.ts$|plain-text\\.ts$|remember\\.ts$|time-zone\\.ts$|token-bucket\\.ts$|http/retry-after\\.ts$)|^lib/domain/webhooks/events\\.ts$|^lib/chains/(networks|network-data)\\.ts$|^lib/chains/data/",
      },
    },
    ...ROOMS.slice(1).map((room, i) => ({
      name: `${room}-comes-after`,
      severity: "error",
      from: { path: `^lib/domain/${room}/` },
      // A tables.ts is data: foreign keys and joins need it in every direction.
      to: { path: `^lib/domain/(${ROOMS.slice(0, i + 1).join("|")})/`, pathNot: "/tables\\.ts$" },
    })),
    {
      name: "demo-is-imported-by-nothing",
      severity: "error",
      from: { pathNot: "^(lib/demo|tests)/" },
      to: { path: "^lib/demo/" },
    },
    {
      name: "dev-nodes-are-for-demo-and-tests",
      comment: "the product loads the payers of its sandbox, and no node that plays a chain",
      severity: "error",
      from: { pathNot: "^(lib/demo|tests)/|^lib/dev-chains/(?!payers/)" },
      to: { path: "^lib/dev-chains/(?!payers/)" },
    },
    ...PACKAGES.map((name) => ({
      name: `package-${name}-imports-nothing-of-ours`,
      severity: "error",
      from: { path: `^packages/${name}/` },
      to: { path: "^(app|components|lib|packages|tests)/", pathNot: `^packages/${name}/` },
    })),
    {
      name: "tests-are-imported-by-nothing",
      severity: "error",
      from: { path: "^(app|components|lib|packages)/" },
      to: { path: "^tests/" },
    },
    {
      name: "components-know-no-server",
      comment: "pieces of the page are given what they show",
      severity: "error",
      from: { path: "^components/" },
      to: { path: "^lib/(server|cli)/|^lib/web/(api|operations)/|^lib/platform/db/" },
    },
    {
      name: "services-are-wired-in-one-place",
      comment: "lib/server and the operator's command choose implementations",
      severity: "error",
      from: { path: "^lib/(domain|web)/" },
      to: { path: "^lib/chains/registry\\.ts$|^lib/domain/rates/open-rates\\.ts$" },
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
    exclude: { path: "^(\\.next|node_modules|packages/[^/]+/(dist|node_modules))/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
};
