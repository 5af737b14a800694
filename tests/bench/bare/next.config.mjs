import { join } from "node:path";

// Next's telemetry. Next reads it after this file, in builds and in servers.
process.env.NEXT_TELEMETRY_DISABLED = "1";

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  agentRules: false,
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: join(import.meta.dirname, "../../..") },
  experimental: { agentUpgrade: false },
};

export default config;
