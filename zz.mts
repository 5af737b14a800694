import { buildPage } from "#lib/demo/build-page.ts";
await buildPage(console.log);
