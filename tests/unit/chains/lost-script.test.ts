import assert from "node:assert/strict";
import { test } from "node:test";
import { NETWORKS } from "#lib/chains/networks.ts";
import { encodeAddressScript, encodeSegwitAddress } from "#lib/chains/utxo/address.ts";
import { isLostScript } from "#lib/chains/utxo/lost-script.ts";

const live = NETWORKS.bitcoin.utxo.live;
const isLost = (address: string, chain: Parameters<typeof encodeAddressScript>[1] = live) =>
  isLostScript(encodeAddressScript(address, chain));

test("rejects an address without a known key, or that anyone can spend from", () => {
  assert.ok(isLost("1111111111111111111114oLvT2"), "P2PKH of zeros");
  assert.ok(isLost("31h1vYVSYuKP6AhS86fbRdMw9XHieotbST"), "P2SH of zeros");
  assert.ok(isLost(encodeSegwitAddress("bc", new Uint8Array(20))), "P2WPKH of zeros");
  assert.ok(isLost("bc1pfeessrawgf"), "pay to anchor");
  assert.ok(isLost("bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs"), "segwit version 2");
});

test("everybody else is", () => {
  for (const address of [
    "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
    "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
  ])
    assert.ok(!isLost(address), address);
  assert.ok(!isLost("DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC", NETWORKS.dogecoin.utxo.live));
});
