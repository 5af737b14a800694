import assert from "node:assert/strict";
import { test } from "node:test";
import { demoWallet } from "#lib/demo/wallet.ts";
import type { DevChain } from "#lib/dev-chains/dev-chain.ts";

const ADDRESS = "0x71C7656EC7ab88b098defB751B7401B5f6d8976F";

/** A wallet of two chains with the same addresses, and what it sent. */
function aWallet() {
  const sent: string[] = [];
  const aChain = (network: "bep20" | "erc20", chainId: number): DevChain => ({
    network,
    title: `USDT on ${network}`,
    env: {},
    forScripts: {},
    height: async () => 1,
    mine: async () => {},
    readRequest: (text) => {
      if (text === ADDRESS) return { address: text, amount: null };
      return text === `ethereum:${ADDRESS}@${chainId}` ? { address: ADDRESS, amount: "10" } : null;
    },
    send: async (address, amount) => {
      sent.push(`${network} ${address} ${amount}`);
      return "0xhash";
    },
    stop: async () => {},
  });
  const app = demoWallet([aChain("bep20", 97), aChain("erc20", 11_155_111)]);
  const send = async (fields: Record<string, string>) => {
    const answer = await app.request("/wallet/send", { method: "POST", body: new URLSearchParams(fields) });
    assert.equal(answer.status, 303);
    return (await app.request(answer.headers.get("location") ?? "")).text();
  };
  return { send, sent };
}

test("asks for the network of an address that fits several, and keeps what was entered", async () => {
  const { send, sent } = aWallet();
  const asked = await send({ to: ADDRESS, amount: "9.375" });
  assert.deepEqual(sent, []);
  assert.match(asked, /role="status">This address exists on several networks\. Choose one/);
  assert.match(asked, new RegExp(`name="to" value="${ADDRESS}"`));
  assert.match(asked, /name="amount" value="9\.375"/);
  assert.deepEqual(
    [...asked.matchAll(/<option value="(\w+)">([^<]+)/g)].map(([, code, title]) => [code, title]),
    [
      ["bep20", "USDT on bep20"],
      ["erc20", "USDT on erc20"],
    ],
  );
  const paid = await send({ to: ADDRESS, amount: "9.375", network: "erc20" });
  assert.deepEqual(sent, [`erc20 ${ADDRESS} 9.375`]);
  assert.match(paid, /role="status">✓ Sent: USDT on erc20\. Transaction <code>0xhash/);
});

test("pays a request on the network that it names, and says which", async () => {
  const { send, sent } = aWallet();
  const paid = await send({ to: `ethereum:${ADDRESS}@11155111`, amount: "" });
  assert.deepEqual(sent, [`erc20 ${ADDRESS} 10`]);
  assert.match(paid, /✓ Sent: USDT on erc20/);
  assert.match(await send({ to: "nonsense", amount: "1" }), /✗ copy the deposit address/);
  assert.match(await send({ to: ADDRESS, amount: "", network: "bep20" }), /✗ say how much to send/);
});
