/** The benches compare with a bare page: it is built only for them, into a folder of its own. */
const BENCH_BUILD = {
  distDir: ".next-bench",
  pageExtensions: ["tsx", "ts", "bench.tsx"],
  typescript: { ignoreBuildErrors: true, tsconfigPath: "tests/bench/tsconfig.json" },
};

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  devIndicators: false,
  // The dev server would otherwise write files of its own into the repository.
  agentRules: false,
  allowedDevOrigins: ["127.0.0.1"],
  // Title and icons belong in the head: readers of link previews run no script that would move them there.
  htmlLimitedBots: /./,
  // `npm run check` reports types over the whole program; the build need not do it again.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: import.meta.dirname },
  // The widget: any shop may load it, with an integrity hash too. A name with a hash in it never changes its content.
  headers: async () => [
    {
      source: "/:file(checkout.*\\.js)",
      headers: [
        { key: "access-control-allow-origin", value: "*" },
        { key: "cross-origin-resource-policy", value: "cross-origin" },
      ],
    },
    { source: "/checkout.js", headers: [{ key: "cache-control", value: "public, max-age=300" }] },
    {
      source: "/:file(checkout-.*\\.js)",
      headers: [{ key: "cache-control", value: "public, max-age=31536000, immutable" }],
    },
  ],
  experimental: {
    serverActions: { bodySizeLimit: "16kb" },
    // A refresh that the network cuts waits for it, instead of leaving the page for the browser's error screen.
    useOffline: true,
  },
  ...(process.env.BENCH_BUILD === "1" ? BENCH_BUILD : {}),
};

export default config;
