import "#lib/platform/quick-start.ts";

// Not a static import: those are all found before the first of them runs.
await import("./run-server.ts");
