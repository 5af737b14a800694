import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { encodeFunctionData, type Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { allocateAddress } from "#lib/domain/wallets/allocate-address.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { deriveChildKey, openAccountKey } from "#lib/signer/account-key.ts";
import { deploySweeper } from "#lib/signer/evm/deploy-sweeper.ts";
import { openJournal } from "#lib/signer/journal.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import { FAUCET, mine, payUsdt, rpc, USDT_ADDRESS } from "./anvil.ts";
import { compileSolidity } from "./compile-sweeper.ts";
import { aDeposit } from "./deposits.ts";
import { signerWorld, WORDS } from "./signer-world.ts";

/** Where the odd token is, as the network's USDC. */
export const ODD_TOKEN = "0x00000000000000000000000000000000000000dd";
export const COIN = 10n ** 18n;
const NO_PAYOUTS = { per_transfer: "0", per_day: "0", auto_up_to: "0" };

/** The text of a policy that sweeps. `more` are fields of the network, `token` those of USDT. */
export function sweepPolicy(more: object = {}, token: object = {}): string {
  const usdt = { per_transfer: "1000", per_day: "1000", auto_up_to: "1000", sweep_above: "10", ...token };
  const network = {
    max_fee_per_gas_gwei: "50",
    max_sweep_fee_percent: "20",
    sweep_fee_per_day: "1",
    tokens: { usdt, usdc: { ...NO_PAYOUTS, sweep_above: "1" }, bnb: { ...NO_PAYOUTS, sweep_above: "0.01" } },
    ...more,
  };
  return JSON.stringify({ version: 1, networks: { "test.bep20": network } });
}

export interface PaidAddress {
  readonly id: number;
  readonly address: string;
  readonly index: number;
}

/** A signer's world with a deployed sweeper, prices, and a token that misbehaves. Its clock is moved by hand. */
export async function sweeperWorld(t: TestContext, { deploy = true } = {}) {
  const w = await signerWorld(t, { contracts: { usdt: USDT_ADDRESS, usdc: ODD_TOKEN } });
  const { db, url, adapter } = w;
  const odd = compileSolidity(readFileSync(join(import.meta.dirname, "OddToken.sol"), "utf8"));
  await rpc(url, "anvil_setCode", [ODD_TOKEN, odd.runtime]);
  await db.execute(`insert into token_prices (token, price, source, at)
    values ('usdt', '1', 'test', now()), ('usdc', '1', 'test', now()), ('bnb', '600', 'test', now())`);
  // The merchant's balance is only in the books.
  await db.execute("delete from unswept_amounts");
  let now = Date.now();
  const deployIt = async (policy = sweepPolicy()) => {
    const journal = openJournal(w.journalPath);
    const parsed = parsePolicy(policy, (_env, _network, address) => adapter.addresses.canonicalize(address));
    const limits = parsed.networks.get("test.bep20");
    if (limits === undefined) throw new Error("the policy lacks test.bep20");
    const deployed = await deploySweeper({
      ...{ adapter, mnemonic: WORDS, policy: limits, journal, db },
      now: () => new Date(),
    });
    journal.close();
    return deployed;
  };
  const call = async (name: string, args: readonly unknown[]) => {
    const data = encodeFunctionData({ abi: odd.abi, functionName: name, args });
    await rpc(url, "eth_sendTransaction", [{ from: FAUCET.address, to: ODD_TOKEN, data, gas: "0x4c4b40" }]);
    await mine(url);
  };
  if (deploy) {
    await deployIt();
    await mine(url);
  }
  const balance = async (token: string, address: string) =>
    BigInt(
      String(
        await rpc(url, "eth_call", [
          { to: token, data: `0x70a08231${address.slice(2).padStart(64, "0")}` },
          "latest",
        ]),
      ),
    );
  return {
    ...w,
    deployIt,
    odd: {
      set: (mode: number) => call("set", [mode, USDT_ADDRESS]),
      refuse: (address: string, value: boolean) => call("refuse", [address, value]),
      mint: (address: string, amount: bigint) => call("mint", [address, amount]),
      attack: (address: string) => call("attack", [address]),
    },
    tokenBalance: balance,
    coins: async (address: string) => BigInt(String(await rpc(url, "eth_getBalance", [address, "latest"]))),
    code: async (address: string) => String(await rpc(url, "eth_getCode", [address, "latest"])),
    /** Moves the clock of the signers that are started later. */
    pass: (ms: number) => (now += ms),
    clock: () => new Date(now),
    start: (policy = sweepPolicy(), changes: Parameters<typeof w.start>[1] = {}) =>
      w.start(policy, { now: () => new Date(now), ...changes }),
    /** The account of a deposit address, as the signer has it. */
    keyOf: (index: number) => {
      const key = deriveChildKey(openAccountKey(WORDS, adapter), 0, index);
      return privateKeyToAccount(`0x${Buffer.from(key).toString("hex")}` as Hex);
    },
    /** New addresses of the merchant. */
    allocate: (purpose: "payment_link" | "merchant" = "payment_link"): Promise<PaidAddress> =>
      db.transaction((tx) =>
        allocateAddress(tx, adapter, { merchantId: w.merchantId, purpose, customerId: null }),
      ),
    /** Credits addresses with a deposit as the watcher does, and pays them USDT on the chain. */
    async pay(to: readonly PaidAddress[], amount: bigint) {
      const payments = to.map(({ address }) => ({ to: address, amount }));
      const txHash = await payUsdt(url, payments);
      await mine(url);
      for (const [position, { id }] of to.entries())
        await aDeposit(db, id, { txHash, position, amount, confirmedAt: new Date(now) });
    },
    /** Rows of the table that says which addresses to look at. */
    left: async () => (await db.execute("select 1 from unswept_amounts")).rows.length,
    /** Credits a deposit alone. */
    async credit({ id }: PaidAddress, amount: bigint, token: TokenCode) {
      made += 1;
      const txHash = `0x${made.toString(16).padStart(64, "0")}`;
      await aDeposit(db, id, { txHash, amount, token, confirmedAt: new Date(now) });
    },
  };
}
let made = 0;
export type SweeperWorld = Awaited<ReturnType<typeof sweeperWorld>>;
