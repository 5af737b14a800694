import { type Hex, keccak256, toHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { FAUCET } from "#lib/dev-chains/payers/test-usdt.ts";
import {
  deployUsdt,
  height,
  mine,
  payUsdt,
  rawTransaction,
  reorg,
  rpc,
  startAnvil,
  transferData,
  USDT_ADDRESS,
} from "./anvil.ts";
import type { FaultChain, Received } from "./fault-chain.ts";
import { between } from "./fault-random.ts";
import { ACCOUNT_KEY } from "./watched-chain.ts";

const CHAIN_ID = 97;
const TRANSFER = keccak256(toHex("Transfer(address,address,uint256)"));
/** Payers take turns, so that a reverted payment does not affect the nonces of the others. */
const PAYERS = 64;
/** Blocks below every test, deeper than any reorg. */
const FLOOR = 30;

interface Log {
  readonly transactionHash: string;
  readonly logIndex: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** bep20 on an anvil. A transaction that is in the chain for three blocks is final. */
export async function openEvmChain({ accountKey = ACCOUNT_KEY } = {}): Promise<FaultChain> {
  const node = await startAnvil({ chainId: CHAIN_ID, automine: false });
  const { url } = node;
  await rpc(url, "evm_setBlockGasLimit", [toHex(2_000_000_000)]);
  await deployUsdt(url);
  const payers = Array.from({ length: PAYERS }, () => privateKeyToAccount(generatePrivateKey()));
  for (const { address } of payers) await rpc(url, "anvil_setBalance", [address, toHex(10n ** 24n)]);
  await payUsdt(
    url,
    payers.map(({ address }) => ({ to: address, amount: 10n ** 24n })),
  );
  await mine(url, FLOOR);
  /** Signed bytes of every payment, by hash: what may be sent again. */
  const signed = new Map<string, Hex>();
  let turn = 0;

  const pay: FaultChain["pay"] = async (address, amount) => {
    turn += 1;
    const payer = payers[turn % PAYERS]!;
    const nonce = Number(await rpc(url, "eth_getTransactionCount", [payer.address, "pending"]));
    const raw = await payer.signTransaction({
      type: "eip1559",
      chainId: CHAIN_ID,
      nonce,
      to: USDT_ADDRESS,
      data: transferData(address, amount),
      gas: 100_000n,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 1n,
    });
    const hash = (await rpc(url, "eth_sendRawTransaction", [raw])) as string;
    signed.set(hash, raw);
    return hash;
  };
  const tip = async () =>
    ((await rpc(url, "eth_getBlockByNumber", ["latest", false])) as { hash: string }).hash;

  return {
    network: "bep20",
    token: "usdt",
    nodeUrl: url,
    config: {
      env: "test",
      network: "bep20",
      rpcUrls: [url],
      accountKey,
      zmqUrl: null,
      chainId: null,
      contracts: { usdt: USDT_ADDRESS },
    },
    settleBlocks: 4,
    env: (rpcUrl) => ({
      TEST_BEP20_RPC_URL: rpcUrl,
      TEST_BEP20_XPUB: accountKey,
      TEST_BEP20_USDT_CONTRACT: USDT_ADDRESS,
    }),
    pay,
    async payMany(payments) {
      for (const { address, amount } of payments) await pay(address, amount);
    },
    mine: (blocks = 1) => mine(url, blocks),
    height: () => height(url),
    tip,
    async reorg(depth, { gone = [], later = false } = {}) {
      const newest = await height(url);
      const taken: { hash: string; raw: Hex; offset: number }[] = [];
      for (let n = newest - depth + 1; n <= newest; n++) {
        const block = (await rpc(url, "eth_getBlockByNumber", [toHex(n), false])) as {
          transactions: string[];
        };
        for (const hash of block.transactions) {
          if (gone.includes(hash)) continue;
          // Never before the earlier ones of the same payer: nonces.
          const offset = between(taken.at(-1)?.offset ?? 0, depth - 1);
          taken.push({ hash, raw: signed.get(hash) ?? (await rawTransaction(url, hash)), offset });
        }
      }
      await reorg(url, depth, later ? [] : taken.map(({ raw, offset }) => [raw, offset]));
      // After a thousand replaced blocks or so anvil loses the state of the block it goes back to.
      if ((await rpc(url, "eth_getCode", [USDT_ADDRESS, "latest"])) === "0x") {
        throw new Error("the node lost its state: too many blocks were replaced on one node");
      }
      for (const { hash, raw } of taken) {
        if (later) await rpc(url, "eth_sendRawTransaction", [raw]);
        else if ((await rpc(url, "eth_getTransactionReceipt", [hash])) === null) {
          throw new Error(`the node left ${hash} out of its new blocks`);
        }
      }
    },
    async again(txHash) {
      await rpc(url, "eth_sendRawTransaction", [signed.get(txHash)]);
    },
    received: (addresses) => received(url, addresses),
    async stranger(sameIdentity) {
      const other = await startAnvil({ chainId: sameIdentity ? CHAIN_ID : 56, automine: false });
      await deployUsdt(other.url);
      await mine(other.url, 40 * FLOOR);
      return { url: other.url, stop: () => other.kill() };
    },
    close: () => node.kill(),
  };
}

async function received(url: string, addresses: readonly string[]): Promise<Received[]> {
  const receivers = new Set(addresses);
  const filter = { address: USDT_ADDRESS, topics: [TRANSFER], fromBlock: "0x0", toBlock: "latest" };
  const logs = (await rpc(url, "eth_getLogs", [filter])) as Log[];
  const found = logs.flatMap((log): Received[] => {
    const address = `0x${(log.topics[2] ?? "").slice(26)}`;
    const amount = BigInt(log.data);
    if (!receivers.has(address) || amount === 0n) return [];
    return [{ txHash: log.transactionHash, position: Number(log.logIndex), address, amount }];
  });
  // The chain reports logs and the contract's balances separately.
  for (const address of receivers) {
    const data = `0x70a08231${address.slice(2).padStart(64, "0")}`;
    const call = { from: FAUCET.address, to: USDT_ADDRESS, data };
    const balance = BigInt(String(await rpc(url, "eth_call", [call, "latest"])));
    let sum = 0n;
    for (const one of found) if (one.address === address) sum += one.amount;
    if (balance !== sum) throw new Error(`${address} has ${balance}, its transfers sum to ${sum}`);
  }
  return found;
}
