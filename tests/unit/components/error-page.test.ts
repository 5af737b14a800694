import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { textsOf } from "#components/checkout/texts.ts";
import "#tests/support/jsx.ts";

const { ErrorTextsProvider } = await import("#app/error-texts.tsx");
const { default: ErrorPage } = await import("#app/pay/[refid]/error.tsx");

test("shows the texts that the layout provides", () => {
  for (const code of ["en", "ar"] as const) {
    const texts = textsOf(code).pageError;
    const page = createElement(ErrorPage, { retry: () => {} });
    const html = renderToStaticMarkup(createElement(ErrorTextsProvider, { texts }, page));
    for (const text of Object.values(texts)) assert.ok(html.includes(text), text);
  }
});

test("throws without a layout that provides the texts", () => {
  assert.throws(
    () => renderToStaticMarkup(createElement(ErrorPage, { retry: () => {} })),
    /not within ErrorTextsProvider/,
  );
});
