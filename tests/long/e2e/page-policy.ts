import type { BrowserContext, Page, Response } from "@playwright/test";

declare global {
  interface Window {
    /** Directives that something on the page violated. */
    violations: string[];
    /** Scripts that ran although the policy forbids them. */
    ran: string[];
  }
}

/** Everything that the page receives over the network, and the browser's reports about its policy. */
export interface Watched {
  readonly responses: Response[];
  readonly complaints: string[];
  /** Texts of the socket in order of arrival. */
  readonly frames: string[];
}

/** Makes every page and frame of this context record violations of its policy. */
export async function keepViolations(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.violations = [];
    window.ran = [];
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      window.violations.push(`${effectiveDirective} ${blockedURI}`);
    });
  });
}

export function watchNetwork(page: Page): Watched {
  const watched: Watched = { responses: [], complaints: [], frames: [] };
  page.on("response", (response) => watched.responses.push(response));
  page.on("console", (message) => {
    if (/Content Security Policy|Permissions Policy/.test(message.text()))
      watched.complaints.push(message.text());
  });
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => watched.frames.push(String(payload)));
  });
  return watched;
}

/**
 * The headers of a response that differ from what docs/operate/security.md says about every part of a page.
 */
export function headerFaults(response: Response): string[] {
  const headers = response.headers();
  const type = headers["content-type"] ?? "";
  const wanted: [string, RegExp][] = [["x-content-type-options", /^nosniff$/]];
  if (/text\/html|text\/x-component/.test(type)) {
    wanted.push(
      ["content-security-policy", /^default-src 'none'; script-src 'self' 'nonce-[^']+' 'strict-dynamic'; /],
      ["referrer-policy", /^strict-origin$/],
      ["permissions-policy", /camera=\(\)/],
      ["x-robots-tag", /noindex/],
    );
  }
  if (/text\/html|text\/x-component|application\/json/.test(type)) wanted.push(["cache-control", /no-store/]);
  return wanted.flatMap(([name, value]) =>
    value.test(headers[name] ?? "")
      ? []
      : [`${response.url()} (${response.status()}): ${name}: ${headers[name]}`],
  );
}

/** Injected markup: each part would report to `window.ran` or send a request to a server of its own. */
export function slippedIn(evil: string): string {
  return `<script>window.ran.push("inline script")</script>
<script src="${evil}/script.js"></script>
<img src="data:," onerror="window.ran.push('event handler')">
<svg onload="window.ran.push('svg handler')"></svg>
<div id="styled" style="position: fixed">x</div>
<style>body { --styled: 1 }</style>
<link rel="stylesheet" href="${evil}/style.css">
<img src="${evil}/pixel.png">
<iframe src="${evil}/frame"></iframe>
<object data="${evil}/object"></object>
<base href="${evil}/">
<form id="away" action="${evil}/form" method="post"><input name="a" value="b"></form>
<a id="code" href="javascript:window.ran.push('javascript: link')">x</a>`;
}

/** Violates the policy from within, as an injected script would. The browser reports each attempt. */
export async function tryWithin(page: Page, evil: string): Promise<void> {
  await page.evaluate((url) => {
    document.querySelector<HTMLAnchorElement>("#code")?.click();
    document.querySelector<HTMLFormElement>("#away")?.submit();
    fetch(`${url}/fetched`).catch(() => {});
    // In a timer: the policy does not apply to code that the browser's own protocol evaluates.
    setTimeout(() => {
      try {
        // biome-ignore lint/security/noGlobalEval: it is to be refused
        eval("window.ran.push('eval')");
      } catch {
        window.violations.push("eval refused");
      }
    });
  }, evil);
}

/** The browser's reports about slippedIn() and tryWithin(), without what was blocked. */
export const REPORTED = [
  "base-uri",
  "connect-src",
  "eval refused",
  "form-action",
  "frame-src",
  "img-src",
  "object-src",
  "script-src",
  "script-src-attr",
  "script-src-elem",
  "style-src-attr",
  "style-src-elem",
] as const;
