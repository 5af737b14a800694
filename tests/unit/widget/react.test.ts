import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import "#tests/support/jsx.ts";

const { PaylinkButton, PaylinkCheckout } = await import("#packages/widget/src/react.tsx");
const link = "https://pay.example/pay/4fRk9ZqWm2TgYx7LbNc3Vd";

test("renders a plain button and an empty element on a server, without options as attributes", () => {
  const options = {
    link,
    locale: "fr",
    theme: "dark",
    redirect: false,
    onStatus() {},
    onClose() {},
  } as const;
  assert.equal(
    renderToStaticMarkup(
      createElement(PaylinkButton, { ...options, className: "pay", disabled: true }, "Pay"),
    ),
    '<button class="pay" disabled="" type="button">Pay</button>',
  );
  assert.equal(
    renderToStaticMarkup(createElement(PaylinkCheckout, { ...options, className: "pay" })),
    '<div class="pay"></div>',
  );
});
