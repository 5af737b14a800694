import { after, before } from "node:test";
import { type Address, generateKeyPairSigner, type KeyPairSigner } from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";
import { getInitializeAccount3Instruction, TOKEN_PROGRAM_ADDRESS } from "@solana-program/token";
import { faucet, USDT_MINT } from "#lib/dev-chains/solana-node/genesis.ts";
import { sendInstructions } from "#lib/dev-chains/solana-node/pay.ts";
import { type SolanaNode, startSolanaNode } from "#lib/dev-chains/solana-node/start-solana-node.ts";
import { type FakeNode, startFakeNode } from "./fake-node.ts";

const TOKEN_ACCOUNT_RENT = 2_039_280n;
const TOKEN_ACCOUNT_SPACE = 165;

/** A Solana chain whose blocks are final at once, and a fake in front of its node, from before a file's first test until after its last. */
export class SolanaWorld {
  node!: SolanaNode;
  fake!: FakeNode;
  /** The genesis' account with coins and USDT. */
  payer!: KeyPairSigner;

  constructor() {
    before(async () => {
      this.node = await startSolanaNode({ finalizedLag: 0 });
      this.fake = await startFakeNode(this.node.url);
      this.payer = await faucet();
      this.node.chain.mine(3);
    });
    after(async () => {
      await this.fake.close();
      await this.node.stop();
    });
  }

  /** The newest slot. */
  newest = (): number => this.node.chain.finalized().slot;

  /** The slot of a transaction of these instructions. */
  async pay(...instructions: Parameters<typeof sendInstructions>[2]): Promise<number> {
    await sendInstructions(this.node.url, this.payer, instructions, { skipPreflight: true });
    this.node.chain.mine();
    return this.newest();
  }

  /** A token account of this owner, whom the transaction does not name. */
  async openTokenAccount(owner: Address): Promise<Address> {
    const newAccount = await generateKeyPairSigner();
    const account = newAccount.address;
    await this.pay(
      getCreateAccountInstruction({
        payer: this.payer,
        newAccount,
        lamports: TOKEN_ACCOUNT_RENT,
        space: TOKEN_ACCOUNT_SPACE,
        programAddress: TOKEN_PROGRAM_ADDRESS,
      }),
      getInitializeAccount3Instruction({ account, mint: USDT_MINT, owner }),
    );
    return account;
  }
}
