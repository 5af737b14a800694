import {
  type Address,
  address,
  createKeyPairSignerFromPrivateKeyBytes,
  type KeyPairSigner,
  lamports,
  none,
  some,
} from "@solana/kit";
import { AccountState, getMintEncoder, getTokenEncoder, TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import type { LiteSVM } from "litesvm";

/** Its keys are public and worth nothing. */
const FAUCET_SEED = new Uint8Array(32).fill(7);
export const FAUCET_ADDRESS = address("GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB");

/** The test USDT: 6 decimals, like Tether's. */
export const USDT_MINT = address("2KW2XRd9kwqet15Aha2oK3tYvd3nWbTFH1MBiRAv1BE1");
export const USDT_DECIMALS = 6;
/** The faucet's USDT account. */
export const FAUCET_USDT = address("AxBgg6rv37D9YhUefmRxD5RcYnjLYFGqtz3z9MhiS2K3");

const SYSTEM = address("11111111111111111111111111111111");
const COINS = 5_000_000n * 10n ** 9n;
const TOKENS = 10n ** 9n * 10n ** 6n;

export function faucet(): Promise<KeyPairSigner> {
  return createKeyPairSignerFromPrivateKeyBytes(FAUCET_SEED);
}

/** The state before the first block: a faucet with coins, and the test USDT, all owned by the faucet. */
export function setGenesis(svm: LiteSVM): void {
  setAccount(svm, {
    address: FAUCET_ADDRESS,
    content: new Uint8Array(0),
    programAddress: SYSTEM,
    coins: COINS,
  });
  const mint = getMintEncoder().encode({
    mintAuthority: some(FAUCET_ADDRESS),
    supply: TOKENS,
    decimals: USDT_DECIMALS,
    isInitialized: true,
    freezeAuthority: none(),
  });
  setAccount(svm, { address: USDT_MINT, content: mint, programAddress: TOKEN_PROGRAM_ADDRESS });
  const held = getTokenEncoder().encode({
    mint: USDT_MINT,
    owner: FAUCET_ADDRESS,
    amount: TOKENS,
    delegate: none(),
    state: AccountState.Initialized,
    isNative: none(),
    delegatedAmount: 0n,
    closeAuthority: none(),
  });
  setAccount(svm, { address: FAUCET_USDT, content: held, programAddress: TOKEN_PROGRAM_ADDRESS });
}

interface GenesisAccount {
  readonly address: Address;
  readonly content: ArrayLike<number>;
  readonly programAddress: Address;
  /** Lamports. Default: the rent-free minimum. */
  readonly coins?: bigint;
}

function setAccount(svm: LiteSVM, { address, content, programAddress, coins }: GenesisAccount): void {
  const data = Uint8Array.from(content);
  const space = BigInt(data.length);
  const least = svm.minimumBalanceForRentExemption(space);
  svm.setAccount({
    address,
    data,
    executable: false,
    lamports: lamports(coins ?? least),
    programAddress,
    space,
  });
}
