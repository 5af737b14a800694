import { pino } from "pino";
import { Wallet } from "xrpl";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { startXrpFake, type XrpFakeOptions } from "#lib/dev-chains/xrp-fake/start-xrp-fake.ts";
import {
  destinationOf,
  sendTransaction,
  type TransactionFields,
} from "#lib/dev-chains/xrp-fake/xrp-payer.ts";

export const DROPS_PER_XRP = 1_000_000n;
/** Allows a payment to deliver less than its amount. */
export const PARTIAL_PAYMENT = 0x0002_0000;
/** Shown as "XRP" by anything that reads 20 bytes as letters. */
export const LOOK_ALIKE_CURRENCY = `585250${"00".repeat(17)}`;

const RECEIVER = Wallet.fromMnemonic(
  "legal winner thank year wave sausage worth useful legal winner thank yellow",
);

export type XrpWorld = Awaited<ReturnType<typeof startXrpWorld>>;

/** The test environment's xrp over these nodes. */
export function xrpNetwork(account: string, ...rpcUrls: string[]): NetworkRegistry {
  // A chain id of our own: the fake closes ledgers on demand, as a development chain does.
  const off = { zmqUrl: null, chainId: 1, contracts: {} };
  const config = { env: "test", network: "xrp", rpcUrls, accountKey: account, ...off } as const;
  return openNetworks([config], { log: pino({ level: process.env.TEST_LOG ?? "silent" }) });
}

export function xrpAdapter(account: string, ...rpcUrls: string[]): NetworkAdapter {
  return xrpNetwork(account, ...rpcUrls).find("test", "xrp")!;
}

/**
 * Our fake of a server, with a receiving account (which trusts the issuer's tokens, so that they arrive), a
 * payer with plenty of XRP and of the issuer's tokens, an issuer, and an account with too little to pay.
 */
export async function startXrpWorld(options: XrpFakeOptions = {}) {
  const fake = await startXrpFake(options);
  const [payer, issuer, pauper] = [Wallet.generate(), Wallet.generate(), Wallet.generate()];
  const { url } = fake;
  const submit = (wallet: Wallet, fields: TransactionFields) => sendTransaction(url, wallet, fields);
  const pay = (wallet: Wallet, to: string, amount: unknown, more: Readonly<Record<string, unknown>> = {}) => {
    const Amount = typeof amount === "bigint" ? String(amount) : amount;
    return submit(wallet, { TransactionType: "Payment", ...destinationOf(to), Amount, ...more });
  };
  const token = (value: string, currency = "USD") => ({ currency, issuer: issuer.classicAddress, value });
  const trust = (wallet: Wallet, currency = "USD") =>
    submit(wallet, { TransactionType: "TrustSet", LimitAmount: token("1000000000", currency) });

  await pay(fake.faucet, payer.classicAddress, 1_000_000_000n * DROPS_PER_XRP);
  await pay(fake.faucet, issuer.classicAddress, 1_000_000n * DROPS_PER_XRP);
  await pay(fake.faucet, pauper.classicAddress, 10n * DROPS_PER_XRP);
  await pay(fake.faucet, RECEIVER.classicAddress, 10n * DROPS_PER_XRP);
  fake.mine();
  for (const currency of ["USD", LOOK_ALIKE_CURRENCY]) {
    for (const wallet of [payer, RECEIVER]) await trust(wallet, currency);
  }
  fake.mine();
  for (const currency of ["USD", LOOK_ALIKE_CURRENCY]) {
    await pay(issuer, payer.classicAddress, token("1000000", currency));
  }
  fake.mine();
  return {
    ...fake,
    account: RECEIVER.classicAddress,
    receiver: RECEIVER,
    payer,
    issuer,
    pauper,
    submit,
    pay,
    token,
    adapter: () => xrpAdapter(RECEIVER.classicAddress, url),
  };
}
