import "#lib/platform/quick-start.mjs";

// Not a static import: those are all found before the first of them runs.
await import("./run-server.ts");
