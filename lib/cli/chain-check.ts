import type { Command } from "commander";
import type { NetworkAdapter, NetworkConfig } from "#lib/chains/network.ts";
import { NETWORK_CODES, type NetworkCode } from "#lib/chains/networks.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { openCertificateStore } from "#lib/domain/deposits/watch/node-certificates.ts";
import { checkChain } from "#lib/domain/proof/check-chain.ts";
import type { NetworkProof, TokenProof } from "#lib/domain/proof/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { type Cli, CommandRefusal } from "./cli.ts";
import { collect, parseDuration } from "./options.ts";

export interface ChainCheckOptions {
  readonly also?: readonly string[];
  readonly wait?: number;
}

const WAIT_MS = 120_000;
/** Amounts in flight are listed up to this number for each token. The sum holds all. */
const MOST_LISTED = 100;

export function addChainOptions(command: Command): Command {
  return command
    .option(
      "--chain",
      "also compare custody with what our addresses hold, asked of the nodes of every network",
    )
    .option("--also <network=address>", "another address that holds our coins; may be repeated", collect)
    .option("--wait <time>", "how long the watcher may take to catch up (default: 2m)", parseDuration);
}

/** Compares custody with the chains. Progress goes to standard error. */
export async function proveChain(
  cli: Cli,
  db: Db,
  configs: readonly NetworkConfig[],
  { also = [], wait = WAIT_MS }: ChainCheckOptions,
): Promise<{ readonly ok: boolean; readonly networks: readonly object[] }> {
  const networks = openNetworks(configs, { certificates: openCertificateStore(db) });
  if (networks.all().length === 0) throw new CommandRefusal("no network is on");
  const given = also.map(parseAlso);
  const proofs = await checkChain({
    db,
    networks,
    also: (adapter) =>
      [...given, ...listOwn(configs, adapter)].flatMap((one) => canonicalAddress(adapter, one)),
    waitMs: wait,
    onProgress: cli.printMessage,
  });
  return { ok: proofs.every(isProven), networks: proofs.map((proof) => toShown(proof, networks)) };
}

/** The addresses of the configuration. */
const listOwn = (configs: readonly NetworkConfig[], { env, network }: NetworkAdapter) =>
  configs
    .filter((one) => one.env === env && one.network === network)
    .flatMap(({ ownAddresses = [] }) => ownAddresses.map((address) => ({ network, address })));

const isProven = ({ error, unknown, tokens }: NetworkProof): boolean =>
  error === null && unknown.length === 0 && tokens.every(({ difference }) => difference === 0n);

function parseAlso(text: string): { readonly network: NetworkCode; readonly address: string } {
  const [code, address = ""] = text.split("=");
  const network = NETWORK_CODES.find((one) => one === code);
  if (network === undefined || address === "")
    throw new CommandRefusal(`--also ${text}: write network=address`);
  return { network, address };
}

function canonicalAddress(
  adapter: NetworkAdapter,
  { network, address }: ReturnType<typeof parseAlso>,
): string[] {
  if (adapter.network !== network) return [];
  const canonical = adapter.addresses.canonicalize(address);
  if (canonical === null) throw new CommandRefusal(`${network}=${address} is not an address of ${network}`);
  return [canonical];
}

function toShown(proof: NetworkProof, networks: ReturnType<typeof openNetworks>): object {
  const { env, network, addresses, height, error, accounts, unknown, tokens } = proof;
  const adapter = networks.find(env, network);
  const show = (address: string | null) =>
    address === null ? null : (adapter?.addresses.display(address) ?? address);
  return {
    env,
    network,
    ok: isProven(proof),
    error,
    height,
    addresses,
    accounts: accounts.map(show),
    unknown_accounts: unknown.map(show),
    tokens: tokens.map((token) => toShownToken(token, show)),
  };
}

function toShownToken(
  { token, onChain, custody, inFlight, difference, addresses }: TokenProof,
  show: (address: string | null) => string | null,
): object {
  const whole = (units: bigint) => formatAmount(units, TOKENS[token].ledgerDecimals);
  return {
    token,
    on_chain: whole(onChain),
    custody: whole(custody),
    in_flight: whole(inFlight.reduce((sum, { amount }) => sum + amount, 0n)),
    difference: whole(difference),
    in_flight_transactions: inFlight.slice(0, MOST_LISTED).map(({ reason, amount, txHash, subject }) => ({
      reason,
      amount: whole(amount),
      tx_hash: txHash,
      subject,
    })),
    differences: addresses.map((one) => ({
      address: show(one.address),
      on_chain: whole(one.onChain),
      expected: whole(one.expected),
      difference: whole(one.onChain - one.expected),
      tx_hashes: one.txHashes,
    })),
  };
}
