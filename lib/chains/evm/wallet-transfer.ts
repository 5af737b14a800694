import { TOKENS } from "#lib/platform/money/tokens.ts";
import type { Env, NetworkData } from "../network-data.ts";
import type { EvmWalletTransfer } from "../wallet-transfer.ts";
import { toAddressTopic, toChecksumAddress } from "./codec.ts";

/** A transfer of `amount` of the chain's units. `to` and `contract` in canonical form. */
export interface TransferRequest {
  readonly data: NetworkData;
  readonly env: Env;
  readonly chainId: number;
  /** Null: the network's own coin. */
  readonly contract: string | null;
  readonly to: string;
  readonly amount: bigint;
}

/** First four bytes of keccak256("transfer(address,uint256)") (EIP-20). */
const TRANSFER = "0xa9059cbb";

export const toHexQuantity = (value: bigint | number): string => `0x${value.toString(16)}`;

/** Builds the request of EIP-1193 wallets. */
export function buildEvmWalletTransfer(request: TransferRequest): EvmWalletTransfer {
  const { chainId, contract, to, amount } = request;
  const word = amount.toString(16).padStart(64, "0");
  return {
    kind: "eip1193",
    chainId: toHexQuantity(chainId),
    addChain: describeChain(request),
    contract,
    amount: toHexQuantity(amount),
    transaction:
      contract === null
        ? { to: toChecksumAddress(to), value: toHexQuantity(amount), data: "0x" }
        : {
            to: toChecksumAddress(contract),
            value: "0x0",
            data: `${TRANSFER}${toAddressTopic(to).slice(2)}${word}`,
          },
  };
}

/** Null on a development chain as well: nobody has a public node of it. */
function describeChain({ data, env, chainId }: TransferRequest): EvmWalletTransfer["addChain"] {
  const rpcUrl = data.publicRpcUrl?.[env] ?? null;
  if (rpcUrl === null || data.isDevelopment === true) return null;
  const explorer = data.explorer[env];
  const { name } = TOKENS[data.coin];
  return {
    chainId: toHexQuantity(chainId),
    chainName: data.name,
    nativeCurrency: { name, symbol: data.coin.toUpperCase(), decimals: 18 },
    rpcUrls: [rpcUrl],
    blockExplorerUrls: explorer === null ? [] : [new URL(explorer.tx).origin],
  };
}
