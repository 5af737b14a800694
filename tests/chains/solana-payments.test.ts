/**
 * The peculiarities of Solana: programs, versions of transactions, token accounts and token fees. LiteSVM behind
 * our front.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Address, generateKeyPairSigner, type Instruction, type KeyPairSigner } from "@solana/kit";
import { getCreateAccountInstruction, getTransferSolInstruction } from "@solana-program/system";
import {
  AuthorityType,
  getApproveInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSetAuthorityInstruction,
  getTransferCheckedInstruction,
} from "@solana-program/token";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { FAUCET_ADDRESS, FAUCET_USDT, faucet, USDT_MINT } from "#lib/dev-chains/solana-node/genesis.ts";
import { sendInstructions, sendSol, sendSolanaUsdt } from "#lib/dev-chains/solana-node/pay.ts";
import { type SolanaNode, startSolanaNode } from "#lib/dev-chains/solana-node/start-solana-node.ts";
import { owning } from "#tests/support/bitcoin-adapter.ts";
import { openFakeNode } from "#tests/support/fake-node.ts";
import { newPayer, solanaAdapter, solanaAddress, solanaWith, tokenAccountOf } from "#tests/support/solana.ts";
import { makeLookupTable, makeMintWithFee, transferWithFee } from "./solana-programs.ts";

const USDT = 10n ** 18n;
let node: SolanaNode;
let adapter: NetworkAdapter;
let next = 0;

before(async () => {
  node = await startSolanaNode({ finalizedLag: 0 });
  adapter = solanaAdapter(node.url);
  node.chain.mine(3);
});
after(() => node.stop());

/** Returns the payments of the newest block to these addresses: token, address, ledger units, position. */
async function paidNow(...addresses: string[]) {
  node.chain.mine();
  return paidIn(adapter, addresses);
}

async function paidIn(reader: NetworkAdapter, addresses: readonly string[]) {
  const { height } = await reader.blocks.fetchHead();
  const { transfers } = await reader.blocks.scan({ from: height, to: height }, owning(...addresses));
  return transfers.map(({ token, address, amount, position }) => [token, address, amount, position]);
}

/** Units of the test USDT from the faucet's token account. */
const transfer = (
  destination: Address,
  authority: KeyPairSigner,
  amount: bigint,
  source: Address = FAUCET_USDT,
) => getTransferCheckedInstruction({ source, mint: USDT_MINT, destination, authority, amount, decimals: 6 });

const createAccountOf = async (owner: string, payer: KeyPairSigner): Promise<Instruction> =>
  getCreateAssociatedTokenIdempotentInstruction({
    payer,
    ata: await tokenAccountOf(owner, USDT_MINT),
    owner: owner as Address,
    mint: USDT_MINT,
  });

test("reads transactions of every version alike", async () => {
  const to = solanaAddress(next++);
  for (const version of ["legacy", 0, 1] as const) {
    await sendSolanaUsdt(node.url, [[to, 1_500_000n]], { version });
    const [paid, ...more] = await paidNow(to);
    assert.deepEqual([paid?.slice(0, 3), more], [["usdt", to, (15n * USDT) / 10n], []], String(version));
    await sendSol(node.url, [[to, 2_000_000n]], { version });
    assert.deepEqual(
      (await paidNow(to)).map((row) => row.slice(0, 3)),
      [["sol", to, 2_000_000n]],
    );
  }
});

test("finds an address that only a lookup table holds, in its block and by the transaction's hash", async () => {
  const to = solanaAddress(next++);
  const ata = await tokenAccountOf(to, USDT_MINT);
  const payer = await faucet();
  await sendInstructions(node.url, payer, [await createAccountOf(to, payer)]);
  node.chain.mine();
  const tables = await makeLookupTable(node, payer, [to as Address, ata, FAUCET_USDT, USDT_MINT]);
  const hash = await sendInstructions(
    node.url,
    payer,
    [
      getTransferSolInstruction({ source: payer, destination: to as Address, amount: 3_000_000n }),
      transfer(ata, payer, 4_000_000n),
    ],
    { tables },
  );
  const paid = await paidNow(to);
  const executed = node.chain.find(hash)?.executed;
  assert.ok(!executed?.decoded.message.staticAccounts.includes(to as Address), "the table alone names it");
  assert.deepEqual(
    paid.map((row) => row.slice(0, 3)),
    [
      ["sol", to, 3_000_000n],
      ["usdt", to, 4n * USDT],
    ],
  );
  const found = (await adapter.transactions!.fetchPayments(hash))!.payments!.filter(
    ({ address }) => address === to,
  );
  assert.deepEqual(
    found.map(({ token, address, amount, position }) => [token, address, amount, position]),
    paid,
  );
});

test("a failed transaction pays nothing, although its block holds it", async () => {
  const to = solanaAddress(next++);
  const payer = await faucet();
  const ata = await tokenAccountOf(to, USDT_MINT);
  // The first instructions would pay. The last one reverts everything.
  const hash = await sendInstructions(
    node.url,
    payer,
    [
      getTransferSolInstruction({ source: payer, destination: to as Address, amount: 5_000_000n }),
      await createAccountOf(to, payer),
      transfer(ata, payer, 10n ** 17n),
    ],
    { skipPreflight: true },
  );
  assert.deepEqual(await paidNow(to), []);
  assert.deepEqual(node.chain.find(hash)?.executed.error, { InstructionError: [2, { Custom: 1 }] });
  assert.deepEqual(await adapter.transactions!.fetchStatus(hash), { kind: "failed" });
  const found = (await adapter.transactions!.fetchPayments(hash))!;
  assert.deepEqual([found.failed, found.payments], [true, []]);
});

test("gives several of our addresses in one transaction, each with both tokens, their own positions", async () => {
  const [a, b] = [solanaAddress(next++), solanaAddress(next++)];
  const payer = await faucet();
  const [ataA, ataB] = [await tokenAccountOf(a, USDT_MINT), await tokenAccountOf(b, USDT_MINT)];
  await sendInstructions(node.url, payer, [
    getTransferSolInstruction({ source: payer, destination: a as Address, amount: 1_000_000n }),
    getTransferSolInstruction({ source: payer, destination: b as Address, amount: 2_000_000n }),
    getTransferSolInstruction({ source: payer, destination: a as Address, amount: 4_000_000n }),
    await createAccountOf(a, payer),
    await createAccountOf(b, payer),
    transfer(ataA, payer, 1_000_000n),
    transfer(ataB, payer, 2_000_000n),
    transfer(ataA, payer, 4_000_000n),
  ]);
  const paid = await paidNow(a, b);
  const expected = [
    ["sol", a, 5_000_000n],
    ["sol", b, 2_000_000n],
    ["usdt", a, 5n * USDT],
    ["usdt", b, 2n * USDT],
  ];
  assert.deepEqual(new Set(paid.map((row) => row.slice(0, 3).join())), new Set(expected.map(String)));
  assert.equal(new Set(paid.map(([, , , position]) => position)).size, 4);
});

test("counts tokens over all token accounts of an address, and ignores movements between them", async () => {
  const owner = await newPayer(node.url);
  const payer = await faucet();
  const ata = await tokenAccountOf(owner.address, USDT_MINT);
  await sendSolanaUsdt(node.url, [[owner.address, 9_000_000n]]);
  assert.deepEqual((await paidNow(owner.address)).at(-1)?.slice(0, 3), ["usdt", owner.address, 9n * USDT]);

  // Another token account with its balance changes its owner, who can spend it from then on.
  const given = await generateKeyPairSigner();
  await sendSolanaUsdt(node.url, [[given.address, 3_000_000n]]);
  node.chain.mine();
  const second = await tokenAccountOf(given.address, USDT_MINT);
  const authorityType = AuthorityType.AccountOwner;
  await sendInstructions(node.url, payer, [
    getSetAuthorityInstruction({
      owned: second,
      owner: given,
      authorityType,
      newAuthority: owner.address,
    }),
  ]);
  assert.deepEqual(
    (await paidNow(owner.address, given.address)).map((row) => row.slice(0, 3)),
    [["usdt", owner.address, 3n * USDT]],
  );

  await sendInstructions(node.url, payer, [transfer(second, owner, 2_000_000n, ata)]);
  assert.deepEqual(await paidNow(owner.address), []);
  await sendInstructions(node.url, payer, [transfer(FAUCET_USDT, owner, 5_000_000n, second)]);
  assert.deepEqual(await paidNow(owner.address), [], "what it spends is no payment either");
});

test("a delegate's payment is a payment, an approval to spend is not", async () => {
  const to = solanaAddress(next++);
  const payer = await faucet();
  const delegate = await newPayer(node.url);
  await sendInstructions(node.url, payer, [
    getApproveInstruction({
      source: FAUCET_USDT,
      delegate: delegate.address,
      owner: payer,
      amount: 7_000_000n,
    }),
    getApproveInstruction({
      source: FAUCET_USDT,
      delegate: delegate.address,
      owner: payer,
      amount: 7_000_000n,
    }),
    await createAccountOf(to, payer),
  ]);
  assert.deepEqual(await paidNow(to, delegate.address), [["sol", delegate.address, 10_000_000_000n, 1]]);
  await sendInstructions(node.url, delegate, [
    transfer(await tokenAccountOf(to, USDT_MINT), delegate, 6_000_000n),
  ]);
  node.chain.mine();
  const { height } = await adapter.blocks.fetchHead();
  const { transfers } = await adapter.blocks.scan({ from: height, to: height }, owning(to));
  assert.deepEqual(
    transfers.map(({ token, amount, sender }) => [token, amount, sender]),
    [["usdt", 6n * USDT, FAUCET_ADDRESS]],
    "whose tokens they were, not who moved them",
  );
});

test("counts coins that a program moves during the transaction: those of a closed account go to its destination", async () => {
  const to = solanaAddress(next++);
  const owner = await newPayer(node.url);
  const payer = await faucet();
  await sendInstructions(node.url, payer, [await createAccountOf(owner.address, payer)]);
  node.chain.mine();
  const account = await tokenAccountOf(owner.address, USDT_MINT);
  await sendInstructions(node.url, owner, [
    getCloseAccountInstruction({ account, destination: to as Address, owner }),
  ]);
  const [paid] = await paidNow(to);
  assert.deepEqual(paid?.slice(0, 3), ["sol", to, 2_039_280n]);
});

test("counts what arrived of a token with a transfer fee", async () => {
  const to = solanaAddress(next++);
  const payer = await faucet();
  const mint = await makeMintWithFee(node, payer, { basisPoints: 250, decimals: 6 });
  const other = solanaWith({ usdt: mint }, [node.url]).find("test", "solana")!;
  await other.blocks.checkIdentity();
  await transferWithFee(node.url, payer, mint, to, 1_000_000n);
  node.chain.mine();
  assert.deepEqual(
    (await paidIn(other, [to])).map((row) => row.slice(0, 3)),
    [["usdt", to, (975n * USDT) / 1_000n]],
  );
  assert.deepEqual(await paidIn(adapter, [to]), [], "a mint that is not the listed one");
});

test("refuses, and does not round, a balance that a JSON number cannot hold, and only if it is ours", async (t) => {
  const to = solanaAddress(next++);
  const stranger = await generateKeyPairSigner();
  await sendSol(node.url, [
    [to, 1_000_000n],
    [stranger.address, 1_000_000n],
  ]);
  node.chain.mine();
  const { height } = await adapter.blocks.fetchHead();
  const fake = await openFakeNode(t, node.url);
  const behind = solanaAdapter(fake.url);
  fake.twist = async ({ method }, pass) => {
    if (method !== "getBlock") return undefined;
    const block = (await pass()) as { transactions?: { meta: { postBalances: number[] } }[] };
    for (const { meta } of block.transactions ?? []) meta.postBalances[1] = 2 ** 53 + 2;
    return block;
  };
  const range = { from: height, to: height };
  const ours = node.chain.block(height)!.transactions[0]!.accounts.all[1]!;
  await assert.rejects(behind.blocks.scan(range, owning(ours)), /too large to be read exactly/);
  const others = ours === to ? stranger.address : to;
  assert.equal((await behind.blocks.scan(range, owning(others))).transfers.length, 1);
});

test("an account that is not a token account is ignored, whatever its bytes say", async () => {
  const [payer, fresh] = [await faucet(), await generateKeyPairSigner()];
  await sendInstructions(node.url, payer, [
    getCreateAccountInstruction({
      payer,
      newAccount: fresh,
      lamports: 5_000_000n,
      space: 165,
      programAddress: "11111111111111111111111111111111" as Address,
    }),
  ]);
  assert.deepEqual(
    (await paidNow(fresh.address)).map((row) => row.slice(0, 3)),
    [["sol", fresh.address, 5_000_000n]],
  );
});
