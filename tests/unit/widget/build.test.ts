import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { buildWidgetScript } from "#packages/widget/build.ts";

test("is small, runs by itself, and defines one global name", async () => {
  const { code, gzipSize } = await buildWidgetScript("1.2.3");
  assert.ok(gzipSize <= 3_072, `${gzipSize} bytes gzip`);
  assert.match(code, /^\/\*! Paylink 1\.2\.3 /);
  const window: Record<string, unknown> = {};
  const listened: string[] = [];
  const document = {
    currentScript: { src: "https://pay.example/checkout.js" },
    addEventListener: (type: string) => listened.push(type),
  };
  const context = createContext({ window, document });
  const names = Object.keys(context);
  runInContext(code, context);
  assert.deepEqual(Object.keys(context), names);
  const { Paylink: first } = window;
  window.paylinkPressed = {
    click() {
      throw new Error("pressed a second time");
    },
  };
  assert.deepEqual(Object.keys(first as object), ["open", "mount", "close", "destroy"]);
  // Loaded twice, for example by two parts of a shop, it is defined once.
  runInContext(code, context);
  assert.equal(window.Paylink, first);
  assert.deepEqual(listened, ["click"]);
});

test("derives the pinned name and the integrity from the content", async () => {
  const { code, pinnedName, integrity } = await buildWidgetScript("1.2.3");
  const digest = createHash("sha384").update(code).digest();
  assert.equal(integrity, `sha384-${digest.toString("base64")}`);
  assert.equal(pinnedName, `checkout-1.2.3-${digest.toString("hex").slice(0, 8)}.js`);
  assert.notEqual((await buildWidgetScript("1.2.4")).integrity, integrity);
});
