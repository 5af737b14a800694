import assert from "node:assert/strict";
import { test } from "node:test";
import { listFirstSteps } from "#components/console/first-step-rules.ts";

const NOTHING = { hasKey: false, hasEndpoint: false, hasPayment: false };
const ALL = { hasKey: true, hasEndpoint: true, hasPayment: true };
const NEW = { test: NOTHING, live: NOTHING, contact: false };
const texts = (...args: Parameters<typeof listFirstSteps>) => listFirstSteps(...args).map(({ text }) => text);

test("an owner sees every step, each with its page", () => {
  assert.deepEqual(listFirstSteps({ ...NEW, test: { ...NOTHING, hasKey: true } }, "owner"), [
    { text: "Complete a test payment", isDone: false, page: "test/new" },
    { text: "Say how customers reach you", isDone: false, page: "live/settings" },
    { text: "Make a test key for your server", isDone: true, page: "test/developers" },
    { text: "Add a test webhook endpoint", isDone: false, page: "test/developers" },
    { text: "Make a live key", isDone: false, page: "live/developers" },
    { text: "Add a live webhook endpoint", isDone: false, page: "live/developers" },
    { text: "Receive the first live payment", isDone: false, page: "live/new" },
  ]);
});

test("people see the steps that they may do", () => {
  const links = ["Complete a test payment", "Receive the first live payment"];
  assert.deepEqual(texts(NEW, "cashier"), links);
  assert.deepEqual(texts(NEW, "manager"), [links[0], "Say how customers reach you", links[1]]);
  for (const role of ["accountant", "operator"] as const) assert.deepEqual(texts(NEW, role), []);
});

test("the steps are gone once a live payment was completed, or all of them are done", () => {
  assert.deepEqual(texts({ ...NEW, live: { ...NOTHING, hasPayment: true } }, "owner"), []);
  assert.deepEqual(texts({ test: ALL, live: null, contact: true }, "owner"), []);
});

test("an environment without networks has no steps", () => {
  assert.deepEqual(texts({ ...NEW, live: null }, "cashier"), ["Complete a test payment"]);
  assert.deepEqual(texts({ ...NEW, test: null }, "cashier"), ["Receive the first live payment"]);
  const [, settings] = listFirstSteps({ ...NEW, live: null }, "owner");
  assert.equal(settings?.page, "test/settings");
});
