import assert from "node:assert/strict";
import { test } from "node:test";
import { TRANSFER_TOPIC } from "#lib/chains/evm/codec.ts";
import { listLogReceivers } from "#lib/chains/tron/log-receivers.ts";

const USDT = "a614f803b6fd780986a42c78ec9c7f77e6ded13c";
const OTHER = "b".repeat(40);
const RECEIVER = "c".repeat(40);
const ASKED = [`0x${USDT}`];
const word = (address: string) => address.padStart(64, "0");
const transfer = (address = USDT, topics = [TRANSFER_TOPIC.slice(2), word(OTHER), word(RECEIVER)]) => ({
  address,
  topics,
});

test("lists who a block's transfers of the asked contracts pay, and counts all logs", () => {
  const answer = [{ id: "1", log: [transfer(), transfer(OTHER)] }, { id: "2" }, { id: "3", log: [] }];
  assert.deepEqual(listLogReceivers(answer, ASKED), { logs: 2, receivers: [`0x${RECEIVER}`] });
  assert.deepEqual(listLogReceivers([{ log: [transfer(USDT.toUpperCase())] }], ASKED), {
    logs: 1,
    receivers: [`0x${RECEIVER}`],
  });
  const approval = transfer(USDT, ["8c".repeat(32), word(OTHER), word(RECEIVER)]);
  assert.deepEqual(listLogReceivers([{ log: [approval] }], ASKED), { logs: 1, receivers: [] });
  assert.deepEqual(listLogReceivers({}, ASKED), { logs: 0, receivers: [] }, "no results");
});

test("a log that cannot be read may pay anyone", () => {
  for (const log of [
    "none",
    [null],
    [{ ...transfer(), address: "" }],
    [transfer(USDT, [TRANSFER_TOPIC.slice(2), word(OTHER)])],
    [transfer(USDT, [TRANSFER_TOPIC.slice(2), word(OTHER), RECEIVER])],
  ])
    assert.equal(listLogReceivers([{ log }], ASKED), null, JSON.stringify(log));
});
