import {
  AccountRole,
  type Address,
  type AddressesByLookupTableAddress,
  generateKeyPairSigner,
  getAddressEncoder,
  getProgramDerivedAddress,
  getU64Encoder,
  type Instruction,
  type KeyPairSigner,
} from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from "@solana-program/token";
import { faucet } from "#lib/dev-chains/solana-node/genesis.ts";
import { sendInstructions } from "#lib/dev-chains/solana-node/pay.ts";
import type { SolanaNode } from "#lib/dev-chains/solana-node/start-solana-node.ts";
import { tokenAccountOf } from "#tests/support/solana.ts";

const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb" as Address;
const LOOKUP_TABLES = "AddressLookupTab1e1111111111111111111111111" as Address;
const SYSTEM = "11111111111111111111111111111111" as Address;

const u32 = (value: number) => [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24];

/**
 * Creates a lookup table of these addresses, in its own blocks, with hand-written instructions of its
 * program.
 */
export async function makeLookupTable(
  { url, chain }: SolanaNode,
  payer: KeyPairSigner,
  addresses: readonly Address[],
): Promise<AddressesByLookupTableAddress> {
  const key = getAddressEncoder();
  chain.mine();
  const recent = getU64Encoder().encode(BigInt(chain.finalized().slot - 1));
  const [table, bump] = await getProgramDerivedAddress({
    programAddress: LOOKUP_TABLES,
    seeds: [key.encode(payer.address), recent],
  });
  const payerRole = { address: payer.address, role: AccountRole.WRITABLE_SIGNER, signer: payer };
  const accounts = [
    { address: table, role: AccountRole.WRITABLE },
    { address: payer.address, role: AccountRole.READONLY_SIGNER, signer: payer },
    payerRole,
    { address: SYSTEM, role: AccountRole.READONLY },
  ];
  // 0 is CreateLookupTable, 2 ExtendLookupTable.
  const create = Uint8Array.from([...u32(0), ...recent, bump]);
  const extend = Uint8Array.from([
    ...u32(2),
    ...getU64Encoder().encode(BigInt(addresses.length)),
    ...addresses.flatMap((address) => [...key.encode(address)]),
  ]);
  const instruction = (data: Uint8Array): Instruction => ({ programAddress: LOOKUP_TABLES, accounts, data });
  await sendInstructions(url, payer, [instruction(create), instruction(extend)], { skipPreflight: true });
  // Added addresses are valid from the next slot on.
  chain.mine(2);
  return { [table]: [...addresses] };
}

/** For a mint with the extension TransferFeeConfig. */
const MINT_WITH_FEE_SIZE = 278;

/**
 * Creates a Token-2022 mint that keeps a part of each transfer as a fee. The payer owns all of it. In its
 * own block.
 */
export async function makeMintWithFee(
  { url, chain }: SolanaNode,
  payer: KeyPairSigner,
  { basisPoints, decimals }: { basisPoints: number; decimals: number },
): Promise<Address> {
  const mint = await generateKeyPairSigner();
  const rent = chain.svm.minimumBalanceForRentExemption(BigInt(MINT_WITH_FEE_SIZE));
  // TransferFeeExtension (26), InitializeTransferFeeConfig (0): no authorities, the fee rate, no practical
  // maximum.
  const fee: Instruction = {
    programAddress: TOKEN_2022,
    accounts: [{ address: mint.address, role: AccountRole.WRITABLE }],
    data: Uint8Array.from([
      ...[26, 0, 0, 0],
      ...[basisPoints & 255, basisPoints >>> 8],
      ...getU64Encoder().encode(10n ** 15n),
    ]),
  };
  const ata = await tokenAccountOf(payer.address, mint.address, TOKEN_2022);
  const program = { programAddress: TOKEN_2022 };
  await sendInstructions(url, payer, [
    getCreateAccountInstruction({
      payer,
      newAccount: mint,
      lamports: rent,
      space: MINT_WITH_FEE_SIZE,
      programAddress: TOKEN_2022,
    }),
    fee,
    getInitializeMint2Instruction({ mint: mint.address, decimals, mintAuthority: payer.address }, program),
    getCreateAssociatedTokenIdempotentInstruction({
      payer,
      ata,
      owner: payer.address,
      mint: mint.address,
      tokenProgram: TOKEN_2022,
    }),
    getMintToInstruction(
      { mint: mint.address, token: ata, mintAuthority: payer, amount: 10n ** 12n },
      program,
    ),
  ]);
  chain.mine();
  return mint.address;
}

export async function transferWithFee(
  url: string,
  payer: KeyPairSigner,
  mint: Address,
  to: string,
  amount: bigint,
): Promise<string> {
  const owner = to as Address;
  const ata = await tokenAccountOf(to, mint, TOKEN_2022);
  return sendInstructions(url, payer, [
    getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner, mint, tokenProgram: TOKEN_2022 }),
    getTransferCheckedInstruction(
      {
        source: await tokenAccountOf(payer.address, mint, TOKEN_2022),
        mint,
        destination: ata,
        authority: payer,
        amount,
        decimals: 6,
      },
      { programAddress: TOKEN_2022 },
    ),
  ]);
}

/** Creates a mint of the classic program with these decimals, in its own block. */
export async function mintOf({ url, chain }: SolanaNode, decimals: number): Promise<Address> {
  const [payer, mint] = [await faucet(), await generateKeyPairSigner()];
  const space = getMintSize();
  await sendInstructions(url, payer, [
    getCreateAccountInstruction({
      payer,
      newAccount: mint,
      lamports: chain.svm.minimumBalanceForRentExemption(BigInt(space)),
      space,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({ mint: mint.address, decimals, mintAuthority: payer.address }),
  ]);
  chain.mine();
  return mint.address;
}
