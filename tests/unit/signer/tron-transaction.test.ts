import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesToHex } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { utils } from "tronweb";
import { tronAddressFromHex, tronAddressToHex } from "#lib/chains/tron/address.ts";
import { transferData } from "#lib/chains/tron/sending.ts";
import type { TronAccount, TronPrices } from "#lib/chains/tron/types.ts";
import { chooseFeeLimit, mostBurned } from "#lib/signer/tron/fee-rules.ts";
import {
  bandwidthOf,
  encodeSigned,
  encodeTransaction,
  hashOf,
  readSigned,
  type TronAction,
} from "#lib/signer/tron/transaction.ts";

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => bytesToHex(value));
const address = hexOf(20).map((digits) => tronAddressFromHex(`0x${digits}`));
const sun = fc.bigInt({ min: 1n, max: BigInt(Number.MAX_SAFE_INTEGER) });
const record = { noNullPrototype: true } as const;
const delegation = (type: "DelegateResourceContract" | "UnDelegateResourceContract") =>
  fc.record({ type: fc.constant(type), owner: address, receiver: address, amount: sun }, record);
const actions: fc.Arbitrary<TronAction> = fc.oneof(
  fc.record(
    { type: fc.constant("TransferContract" as const), owner: address, to: address, amount: sun },
    record,
  ),
  fc.record(
    {
      type: fc.constant("TriggerSmartContract" as const),
      owner: address,
      contract: address,
      data: fc.record({ to: address, value: sun }, record).map(transferData),
    },
    record,
  ),
  fc.record(
    { type: fc.constant("AccountCreateContract" as const), owner: address, account: address },
    record,
  ),
  delegation("DelegateResourceContract"),
  delegation("UnDelegateResourceContract"),
);
const transactions = fc.record(
  {
    action: actions,
    refBlockBytes: hexOf(2),
    refBlockHash: hexOf(8),
    expiration: fc.integer({ min: 1, max: 2 ** 45 }),
    timestamp: fc.integer({ min: 1, max: 2 ** 45 }),
    feeLimit: fc.oneof(fc.constant(0n), sun),
  },
  record,
);

const hex41 = (base58: string) => `41${tronAddressToHex(base58).slice(2)}`;

/** An action as TRON's HTTP API writes it. */
function apiValueOf(action: TronAction): Record<string, unknown> {
  const owner_address = hex41(action.owner);
  switch (action.type) {
    case "TransferContract":
      return { owner_address, to_address: hex41(action.to), amount: Number(action.amount) };
    case "TriggerSmartContract":
      return { owner_address, contract_address: hex41(action.contract), data: action.data };
    case "AccountCreateContract":
      return { owner_address, account_address: hex41(action.account) };
    default:
      return {
        owner_address,
        receiver_address: hex41(action.receiver),
        balance: Number(action.amount),
        resource: "ENERGY",
      };
  }
}

test("gives a transaction the same bytes and hash as tronweb", () => {
  fc.assert(
    fc.property(transactions, ({ action, ...rest }) => {
      const pb = utils.transaction.txJsonToPb({
        raw_data: {
          contract: [
            {
              parameter: {
                value: apiValueOf(action),
                type_url: `type.googleapis.com/protocol.${action.type}`,
              },
              type: action.type,
            },
          ],
          ref_block_bytes: rest.refBlockBytes,
          ref_block_hash: rest.refBlockHash,
          expiration: rest.expiration,
          timestamp: rest.timestamp,
          ...(rest.feeLimit > 0n && { fee_limit: Number(rest.feeLimit) }),
        },
      });
      const bytes = encodeTransaction({ action, ...rest });
      assert.equal(bytesToHex(bytes), utils.transaction.txPbToRawDataHex(pb).toLowerCase());
      assert.equal(`0x${hashOf(bytes)}`, utils.transaction.txPbToTxID(pb));
      const read = readSigned(encodeSigned(bytes, "11".repeat(65)));
      assert.deepEqual(read, {
        feeLimit: rest.feeLimit,
        bandwidth: bandwidthOf(bytes),
        type: action.type,
        owner: action.owner,
        receiver: "receiver" in action ? action.receiver : "account" in action ? action.account : null,
      });
    }),
    { numRuns: 100 },
  );
});

test("counts bandwidth as java-tron 4.8.0 did", () => {
  // Delegation b7059fda…, whose receipt says net_usage 278.
  const raw =
    "0a0202cd2208f995334d762816a540a881f49ea0345a720839126e0a35747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e44656c65676174655265736f75726365436f6e747261637412350a1541f0e9091e93d3d057bc0ee0ba1e117a523fdcd36010011880c2d72f2215416e5e2fa3af049a850594775994a55387c1ed342770c8acf09ea034";
  const bytes = encodeTransaction({
    action: {
      type: "DelegateResourceContract",
      owner: tronAddressFromHex("0xf0e9091e93d3d057bc0ee0ba1e117a523fdcd360"),
      receiver: tronAddressFromHex("0x6e5e2fa3af049a850594775994a55387c1ed3427"),
      amount: 100_000_000n,
    },
    refBlockBytes: "02cd",
    refBlockHash: "f995334d762816a5",
    expiration: 1_795_361_145_000,
    timestamp: 1_795_361_085_000,
    feeLimit: 0n,
  });
  assert.equal(bytesToHex(bytes), raw);
  assert.equal(hashOf(bytes), "b7059fda8fc26809e561d338e9919fb13cfbc6c8388ac9b0565fd6e14de4a4cb");
  assert.equal(bandwidthOf(bytes), 278n);
});

const PRICES: TronPrices = {
  energy: 100n,
  energyIncrease: 2_000n,
  bandwidth: 1_000n,
  newAccount: 1_000_000n,
  newAccountBandwidth: 100_000n,
  maxFeeLimit: 15_000_000_000n,
};
const NOTHING: Pick<TronAccount, "energy" | "freeBandwidth" | "ownBandwidth"> = {
  energy: 0n,
  freeBandwidth: 0n,
  ownBandwidth: 0n,
};
const NONE = { coin: 0n, bandwidth: 0n, energy: 0n };

test("the fee limit stays with everything else within the cap, and has a margin where it can", () => {
  const needs = { bandwidth: 346n, energy: 65_000n, createsAccount: false };
  assert.equal(chooseFeeLimit(needs, PRICES, 30_000_000n), 7_800_000n);
  assert.equal(chooseFeeLimit(needs, PRICES, 7_000_000n), 6_654_000n, "what the cap leaves");
  assert.equal(chooseFeeLimit(needs, PRICES, 6_845_999n), null, "less than it needs");
  assert.equal(chooseFeeLimit(needs, { ...PRICES, maxFeeLimit: 6_600_000n }, 30_000_000n), 6_600_000n);
  const creating = { bandwidth: 268n, energy: 0n, createsAccount: true };
  assert.equal(chooseFeeLimit(creating, PRICES, 1_100_000n), 0n);
  assert.equal(chooseFeeLimit(creating, PRICES, 1_099_999n), null);
});

test("stakes and free bandwidth pay first, and what waits uses them before", () => {
  const needs = { bandwidth: 346n, energy: 65_000n, createsAccount: false };
  const burned = (account: Partial<TronAccount>, reserved = NONE) =>
    mostBurned({ needs, feeLimit: 7_800_000n }, PRICES, { ...NOTHING, ...account }, reserved);
  assert.equal(burned({}), 8_146_000n);
  assert.equal(burned({ freeBandwidth: 346n }), 7_800_000n);
  assert.equal(burned({ ownBandwidth: 346n, energy: 78_000n }), 0n);
  assert.equal(
    burned({ ownBandwidth: 345n, freeBandwidth: 345n, energy: 78_000n }),
    346_000n,
    "not in parts",
  );
  const waiting = { coin: 5n, bandwidth: 346n, energy: 70_000n };
  assert.equal(burned({ freeBandwidth: 600n, energy: 78_000n }, waiting), 7_000_000n + 692_000n);
  const creating = { bandwidth: 268n, energy: 0n, createsAccount: true };
  assert.equal(
    mostBurned({ needs: creating, feeLimit: 0n }, PRICES, { ...NOTHING, freeBandwidth: 600n }, NONE),
    1_100_000n,
    "the free bandwidth creates no account",
  );
});
