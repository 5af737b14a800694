import type { Page } from "@playwright/test";
import { TronWeb } from "tronweb";
import { createWalletClient, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { DevChain } from "#lib/dev-chains/dev-chain.ts";
import { rpc } from "#lib/dev-chains/rpc.ts";

/** The answer of a wallet of the tests to a method. Throws the error of the page's call. */
export type WalletAnswers = Record<string, (params: readonly unknown[]) => unknown>;

export interface TestWallet {
  readonly name: string;
  /** Methods that were asked, oldest first. */
  readonly asked: string[];
  answers: WalletAnswers;
}

/** Methods of TronWeb that a page may call. */
const TRONWEB = {
  transactionBuilder: ["triggerSmartContract", "triggerConstantContract", "sendTrx"],
  trx: ["sign", "sendRawTransaction"],
} as const;
const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="#f6851b"/></svg>')}`;

/**
 * Puts wallets for an EVM development chain into a page before it loads: each announces itself (EIP-6963), signs with the
 * chain's faucet key, and broadcasts to the chain. They begin on Ethereum.
 */
export async function installEvmWallets(
  page: Page,
  chain: DevChain,
  names: readonly string[],
): Promise<TestWallet[]> {
  const { rpc_url: url, faucet_private_key: key } = chain.forScripts as Record<string, string>;
  const account = privateKeyToAccount(key as `0x${string}`);
  const client = createWalletClient({ account, transport: http(url) });
  let current = "0x1";
  const own: WalletAnswers = {
    eth_requestAccounts: () => [account.address],
    eth_chainId: () => current,
    wallet_switchEthereumChain: ([wanted]) => {
      current = (wanted as { chainId: string }).chainId;
      return null;
    },
    eth_call: (params) => rpc(String(url), "eth_call", [...params]),
    eth_sendTransaction: async ([wanted]) => {
      const { to, data } = wanted as { to: `0x${string}`; data: `0x${string}` };
      return client.sendTransaction({ to, data, chain: null });
    },
  };
  return install(page, names, { prefix: "eip6963", own, tronWeb: {} });
}

/** The same for TRON (TIP-6963): a stock tronweb builds, signs with the faucet's key and broadcasts. */
export async function installTronWallet(page: Page, chain: DevChain, name: string): Promise<TestWallet> {
  const { rpc_url: url, faucet_private_key: privateKey } = chain.forScripts as Record<string, string>;
  const tronWeb = new TronWeb({ fullHost: String(url), privateKey: String(privateKey) });
  const own: WalletAnswers = {
    eth_requestAccounts: () => [tronWeb.defaultAddress.base58],
    eth_chainId: () => rpc(`${url}/jsonrpc`, "eth_chainId"),
  };
  for (const [part, methods] of Object.entries(TRONWEB)) {
    const target = tronWeb[part as keyof typeof TRONWEB] as unknown as Record<
      string,
      (...args: unknown[]) => unknown
    >;
    for (const method of methods) own[`${part}.${method}`] = (args) => target[method]?.(...args);
  }
  const [wallet] = await install(page, [name], { prefix: "TIP6963", own, tronWeb: TRONWEB });
  return wallet!;
}

interface Installation {
  readonly prefix: string;
  readonly own: WalletAnswers;
  readonly tronWeb: object;
}

async function install(
  page: Page,
  names: readonly string[],
  { prefix, own, tronWeb }: Installation,
): Promise<TestWallet[]> {
  const wallets = names.map((name): TestWallet => ({ name, asked: [], answers: {} }));
  await page.exposeFunction("askWallet", async (index: number, method: string, params: unknown[]) => {
    const wallet = wallets[index]!;
    wallet.asked.push(method);
    try {
      return { result: (await (wallet.answers[method] ?? own[method])?.(params)) ?? null };
    } catch (error) {
      const { code, message } = error as { code?: number; message?: string };
      return { error: { code, message: message ?? String(error) } };
    }
  });
  await page.addInitScript(announce, { names, prefix, tronWeb, icon: ICON });
  return wallets;
}

/** Runs in the page. */
function announce(given: { names: readonly string[]; prefix: string; tronWeb: object; icon: string }): void {
  type Ask = (
    index: number,
    method: string,
    params: unknown[],
  ) => Promise<{ result?: unknown; error?: object }>;
  const { askWallet } = window as unknown as { askWallet: Ask };
  const ask = async (index: number, method: string, params: unknown[] = []) => {
    const { result, error } = await askWallet(index, method, params);
    if (error) throw Object.assign(new Error(), error);
    return result;
  };
  for (const [index, name] of given.names.entries()) {
    const parts = Object.entries(given.tronWeb).map(([part, methods]: [string, string[]]) => [
      part,
      Object.fromEntries(
        methods.map((method) => [method, (...args: unknown[]) => ask(index, `${part}.${method}`, args)]),
      ),
    ]);
    const provider = {
      request: ({ method, params }: { method: string; params?: unknown[] }) => ask(index, method, params),
      tronWeb: Object.fromEntries(parts),
    };
    const info = { uuid: `wallet-${index}`, name, icon: given.icon, rdns: "example.wallet" };
    const detail = Object.freeze({ info, provider });
    const say = () => window.dispatchEvent(new CustomEvent(`${given.prefix}:announceProvider`, { detail }));
    window.addEventListener(`${given.prefix}:requestProvider`, say);
  }
}
