import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { Env } from "./network-data.ts";
import { NETWORKS, type NetworkCode } from "./networks.ts";
import type { WalletTransfer } from "./wallet-transfer.ts";

/** A payment that an app on the payer's phone is asked for. */
export interface PhonePayment {
  readonly env: Env;
  readonly network: NetworkCode;
  readonly token: TokenCode;
  /** Canonical form of the network. */
  readonly address: string;
  /** Whole tokens, decimal digits. */
  readonly amount: string;
  /** The same for a wallet in a browser. Null: the network has none, or it is switched off. */
  readonly transfer: WalletTransfer | null;
  /** The payment page, for wallets that open it in their own browser, where its button pays. */
  readonly pageUrl: string;
}

export interface WalletLink {
  readonly name: string;
  readonly url: string;
}

interface PhoneWallet {
  readonly name: string;
  /** The wallet's own documentation of the link. A wallet without one is not listed. */
  readonly source: string;
  /** Null: the wallet does not support the network or the token. */
  readonly link: (payment: PhonePayment) => string | null;
}

/** In the order shown. Binance removed its link to a page ("Web3 Connect, Change Log", 2026-10-30). */
const PHONE_WALLETS: readonly PhoneWallet[] = [
  {
    name: "MetaMask",
    source: "https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks/",
    link: linkMetaMask,
  },
  {
    name: "Trust Wallet",
    source: "https://developer.trustwallet.com/developer/develop-for-trust/deeplinking",
    link: linkTrust,
  },
  {
    name: "TronLink",
    source: "https://docs.tronlink.org/mobile/deeplink/",
    link: linkTronLink,
  },
  {
    name: "Coinbase Wallet",
    source: "https://docs.cdp.coinbase.com/coinbase-wallet/developer-guidance/mobile-dapp-integration",
    link: linkCoinbase,
  },
  {
    name: "Phantom",
    source: "https://docs.phantom.com/phantom-deeplinks/other-methods/browse",
    link: linkPhantom,
  },
];

/** Wallets that read the amount and the token of a token's payment URI (EIP-681); the sources are in docs/chains.md. */
export const TOKEN_URI_READERS = ["MetaMask", "AlphaWallet"] as const;

/** The apps that can be asked for this payment. */
export function listPhoneWallets(payment: PhonePayment): readonly WalletLink[] {
  return PHONE_WALLETS.flatMap(({ name, link }) => {
    const url = link(payment);
    return url === null ? [] : [{ name, url }];
  });
}

function linkMetaMask({ address, transfer }: PhonePayment): string | null {
  if (transfer?.kind !== "eip1193") return null;
  const [chain, units] = [BigInt(transfer.chainId), BigInt(transfer.amount)];
  return transfer.contract === null
    ? `https://link.metamask.io/send/${address}@${chain}?value=${units}`
    : `https://link.metamask.io/send/${transfer.contract}@${chain}/transfer?address=${address}&uint256=${units}`;
}

/** Trust Wallet's numbers of the chains: SLIP-44 and "Universal Asset ID" in its documentation. It has main chains only. */
const TRUST_COINS: Partial<Record<NetworkCode, number>> = {
  bitcoin: 0,
  litecoin: 2,
  dogecoin: 3,
  erc20: 60,
  trc20: 195,
  bep20: 20000714,
};

function linkTrust({ env, network, token, address, amount, transfer }: PhonePayment): string | null {
  const coin = TRUST_COINS[network];
  if (coin === undefined || env !== "live") return null;
  if (token !== NETWORKS[network].coin && transfer === null) return null;
  const contract = transfer?.contract ?? null;
  const asset = contract === null ? `c${coin}` : `c${coin}_t${contract}`;
  return `https://link.trustwallet.com/send?${new URLSearchParams({ asset, address, amount })}`;
}

/** Its own transfer link needs the payer's address, so it opens the page. */
function linkTronLink({ transfer, pageUrl }: PhonePayment): string | null {
  if (transfer?.kind !== "tip1193") return null;
  const request = { url: pageUrl, action: "open", protocol: "TronLink", version: "1.0" };
  return `tronlinkoutside://pull.activity?param=${encodeURIComponent(JSON.stringify(request))}`;
}

function linkCoinbase({ transfer, pageUrl }: PhonePayment): string | null {
  return transfer?.kind === "eip1193"
    ? `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(pageUrl)}`
    : null;
}

/** The networks of Phantom whose wallets the page can ask: Ethereum and Base (docs.phantom.com). */
const PHANTOM_CHAINS: readonly bigint[] = [1n, 8453n];

function linkPhantom({ transfer, pageUrl }: PhonePayment): string | null {
  if (transfer?.kind !== "eip1193" || !PHANTOM_CHAINS.includes(BigInt(transfer.chainId))) return null;
  const ref = encodeURIComponent(new URL(pageUrl).origin);
  return `https://phantom.app/ul/browse/${encodeURIComponent(pageUrl)}?ref=${ref}`;
}
