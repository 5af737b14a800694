/** The names of all benches. Each is `<name>.bench.ts`, and has a short form that `npm run test:all` runs. */
export const BENCHES = [
  "links",
  "api",
  "buys",
  "page",
  "lighthouse",
  "chains",
  "webhooks",
  "console",
  "crowd",
  "payouts",
  "scale",
  "reads",
] as const;
