import assert from "node:assert/strict";
import { test } from "node:test";
import { nameBrowser } from "#components/console/browser-name.ts";

const AGENTS = {
  "Chrome on Linux":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  "Edge on Windows":
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
  "Safari on iPhone":
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
  "Firefox on Android": "Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0",
  "Safari on macOS":
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
  "curl/8.14": "curl/8.14",
  "": "",
};

for (const [name, agent] of Object.entries(AGENTS))
  test(`a session of ${name || "an empty header"} is named so`, () => assert.equal(nameBrowser(agent), name));
