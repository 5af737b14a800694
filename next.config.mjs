import { existsSync } from "node:fs";

// Next's telemetry. Next reads it after this file, in builds and in servers.
process.env.NEXT_TELEMETRY_DISABLED = "1";

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  devIndicators: false,
  // lib/web/compressed.ts compresses each page as a whole.
  compress: false,
  // The dev server would otherwise write its own files into the repository.
  agentRules: false,
  allowedDevOrigins: ["127.0.0.1"],
  // Title and icons must be in the head: link preview readers run no script that would move them there.
  htmlLimitedBots: /./,
  // `npm run check` checks the types of the whole program, so the build need not.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: import.meta.dirname },
  // The widget: any shop may load it, also with an integrity hash. The content behind a name with a hash
  // never changes.
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
    // To write the cache takes a fifth of a build. It pays from the third build of a folder on; most folders are built once.
    turbopackFileSystemCacheForBuild: existsSync(`${import.meta.dirname}/.next/BUILD_ID`),
    serverActions: { bodySizeLimit: "16kb" },
    // A refresh that fails for lack of a network waits for it. Otherwise the browser's error screen would
    // replace the page.
    useOffline: true,
    // Builds and servers ask no other host whether there is a newer version of Next.
    agentUpgrade: false,
  },
};

export default config;
