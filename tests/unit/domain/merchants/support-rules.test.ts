import assert from "node:assert/strict";
import { test } from "node:test";
import { supportLink } from "#lib/domain/merchants/support-rules.ts";

test("builds links for e-mail addresses, https URLs and telephone numbers", () => {
  assert.deepEqual(supportLink("help+pay@shop.example", "INV 204/18"), {
    kind: "mail",
    href: "mailto:help%2Bpay@shop.example?subject=INV%20204%2F18",
    label: "help+pay@shop.example",
  });
  assert.deepEqual(supportLink("https://shop.example/help/"), {
    kind: "web",
    href: "https://shop.example/help/",
    label: "shop.example/help",
  });
  assert.deepEqual(supportLink("+234 (801) 234-5678", "INV20418"), {
    kind: "telephone",
    href: "tel:+2348012345678",
    label: "+234 (801) 234-5678",
  });
});

test("rejects any other contact", () => {
  const wrong = [
    "",
    "help",
    "help@shop",
    "a@b@shop.example",
    "help@shop.example\nBcc: x@y.example",
    "http://shop.example",
    "https://user:secret@shop.example",
    "https://localhost",
    "javascript:alert(1)",
    "data:text/html,x",
    "08012345678",
    "+1234",
    "+0123456789",
    "+1234567890123456",
    `https://shop.example/${"x".repeat(200)}`,
  ];
  for (const contact of wrong) assert.equal(supportLink(contact), null, contact);
});
