import { decode } from "bip21";
import { parse } from "eth-url-parser";
import { parseUnits } from "viem";

/** Returns the fields that a wallet reads from a code, parsed by libraries that share no code with ours. */
export interface Scanned {
  readonly address: string;
  /** Smallest units on the chain. Null if the code contains no amount. */
  readonly units: bigint | null;
  readonly chainId: number | null;
  readonly contract: string | null;
}

/**
 * Parses BIP-21, EIP-681, or the bare address where a network has no such standard. Throws on anything else.
 */
export function readWalletUri(uri: string): Scanned {
  if (/^bitcoin:/i.test(uri)) {
    const { address, options } = decode(uri);
    const units = parseUnits(Number(options.amount).toFixed(8), 8);
    // A bech32 address in capitals is the same address (BIP 173).
    const isBech32 = /^(?:bc|bcrt)1/i.test(address);
    return { address: isBech32 ? address.toLowerCase() : address, units, chainId: null, contract: null };
  }
  if (uri.startsWith("ethereum:")) {
    const { target_address, chain_id, function_name, parameters = {} } = parse(uri);
    if (function_name !== "transfer") throw new Error(`${uri} is no transfer of a token`);
    return {
      address: parameters.address ?? "",
      units: BigInt(parameters.uint256 ?? ""),
      chainId: Number(chain_id),
      contract: target_address,
    };
  }
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(uri)) throw new Error(`${uri} is no wallet's URI`);
  return { address: uri, units: null, chainId: null, contract: null };
}
