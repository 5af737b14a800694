import { keccak256, toHex } from "viem";
import { tronAddressFromHex, tronAddressToHex } from "#lib/chains/tron/address.ts";
import { height, rpc } from "#tests/support/anvil.ts";
import type { FaultChain, Received } from "#tests/support/fault-chain.ts";
import { balanceOf, payMany, payUsdt, startTronEmulator, TRON_ACCOUNT_KEY } from "#tests/support/tron.ts";

const TRANSFER = keccak256(toHex("Transfer(address,address,uint256)"));
/** The chain counts in millionths. */
const UNIT = 10n ** 12n;

/** trc20 on the emulator. A transaction that is in the chain for three blocks is final. It makes no reorganizations. */
export type FaultTron = Omit<FaultChain, "reorg" | "again" | "stranger">;

export async function openTronChain(): Promise<FaultTron> {
  const emulator = await startTronEmulator({ automine: false, solidifiedLag: 2 });
  const { url, usdt } = emulator;
  const json = `${url}/jsonrpc`;
  return {
    network: "trc20",
    token: "usdt",
    nodeUrl: url,
    config: {
      env: "test",
      network: "trc20",
      rpcUrls: [url],
      accountKey: TRON_ACCOUNT_KEY,
      zmqUrl: null,
      chainId: null,
      contracts: { usdt },
    },
    settleBlocks: 4,
    env: (rpcUrl) => ({
      TEST_TRC20_RPC_URL: rpcUrl,
      TEST_TRC20_XPUB: TRON_ACCOUNT_KEY,
      TEST_TRC20_USDT_CONTRACT: usdt,
    }),
    pay: (address, amount) => payUsdt(emulator, address, Number(amount / UNIT)),
    payMany: async (payments) => {
      const amounts = payments.map(({ amount }) => Number(amount / UNIT));
      await payMany(
        emulator,
        payments.map(({ address }) => address),
        amounts,
      );
    },
    mine: async (blocks) => {
      await emulator.mine(blocks);
    },
    height: () => height(json),
    tip: async () => ((await rpc(json, "eth_getBlockByNumber", ["latest", false])) as { hash: string }).hash,
    async received(addresses) {
      const found: Received[] = [];
      for (let from = 0; from <= (await height(json)); from += RANGE) {
        const to = toHex(from + RANGE - 1);
        const filter = {
          address: tronAddressToHex(usdt),
          topics: [TRANSFER],
          fromBlock: toHex(from),
          toBlock: to,
        };
        const logs = (await rpc(json, "eth_getLogs", [filter])) as Log[];
        found.push(...logs.map(toReceived).filter(({ address }) => addresses.includes(address)));
      }
      // The chain reports logs and the contract's balances separately.
      for (const address of addresses) {
        const ofAddress = found.filter((one) => one.address === address);
        const sum = ofAddress.reduce((total, { amount }) => total + amount, 0n);
        const balance = (await balanceOf(emulator, address)) * UNIT;
        if (balance !== sum) throw new Error(`${address} has ${balance}, its transfers sum to ${sum}`);
      }
      return found;
    },
    close: () => emulator.stop(),
  };
}

/** A node answers for 5,000 blocks at once. */
const RANGE = 4_000;

interface Log {
  readonly transactionHash: string;
  readonly logIndex: string;
  readonly topics: readonly string[];
  readonly data: string;
}

const toReceived = ({ transactionHash, logIndex, topics, data }: Log): Received => ({
  txHash: transactionHash.slice(2),
  position: Number(logIndex),
  address: tronAddressFromHex(`0x${(topics[2] ?? "").slice(26)}`),
  amount: BigInt(data) * UNIT,
});
