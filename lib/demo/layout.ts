import { html } from "hono/html";

type Markup = Awaited<ReturnType<typeof html>>;

/** The layout of the demo's own pages. Merchants do not deploy them. */
export async function layout(title: string, body: Markup | Promise<Markup>): Promise<Markup> {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Paylink demo</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; --ink: light-dark(#16202b, #e8edf2); --soft: light-dark(#5b6977, #9fb0c0);
  --card: light-dark(#fff, #17212b); --line: light-dark(#dfe5ea, #2a3744); --go: light-dark(#0b6b4f, #3ecf9a); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: light-dark(#f3f5f7, #0d141b); }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .9rem 1.25rem; border-bottom: 1px solid var(--line); background: var(--card); }
header strong { margin-right: auto; } header a { color: var(--soft); }
main { max-width: 46rem; margin: 1.5rem auto; padding: 0 1rem; display: grid; gap: 1rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.1rem 1.25rem; }
h1, h2 { margin: 0 0 .5rem; line-height: 1.2; } h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; }
p { margin: .35rem 0; } small, .soft { color: var(--soft); }
label { display: grid; gap: .2rem; margin: .6rem 0; }
input, select { font: inherit; padding: .55rem .7rem; border: 1px solid var(--line); border-radius: 9px; background: transparent; color: inherit; width: 100%; }
button, .button { display: inline-block; font: inherit; font-weight: 600; padding: .6rem 1.1rem; border: 0; border-radius: 9px;
  background: var(--go); color: light-dark(#fff, #06281c); text-decoration: none; cursor: pointer; }
.row { display: flex; gap: 1rem; align-items: center; justify-content: space-between; flex-wrap: wrap; }
code, pre { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
td .row { flex-wrap: nowrap; justify-content: end; } td input { width: 5rem; }
table { width: 100%; border-collapse: collapse; } td, th { text-align: left; padding: .3rem .4rem .3rem 0; vertical-align: middle; }
</style>
</head>
<body>
<header><strong>Kaduna Coffee <small>a demo shop</small></strong><a href="/">Shop</a><a href="/wallet">Demo wallet</a><a href="/webhooks">Webhooks received</a></header>
<main>${body}</main>
</body>
</html>`;
}
