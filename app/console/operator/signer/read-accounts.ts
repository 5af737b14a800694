import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { paysFromAccount } from "#lib/chains/sending.ts";
import type { SignerAccount } from "#lib/domain/withdrawals/types.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { getServices } from "#lib/web/services.ts";

/** A node that does not answer must not keep the page waiting. */
const NODE_MS = 2_000;

/** An account that the signer pays from. */
export interface HotAccount {
  readonly network: NetworkCode;
  /** As people see it. */
  readonly address: string;
  /**
   * derived: it follows from the configured key. said: the signer has written it into the database, and anyone who writes there can change
   * it. disputed: the signer says another one than follows from the key. path: it is no address, but all that follow from a key. unpaid: the
   * signer says that it cannot pay there.
   */
  readonly trust: "derived" | "said" | "disputed" | "path" | "unpaid";
  /** The balance, in ledger units. Null if no node answered in time. */
  readonly balances: ReadonlyMap<TokenCode, bigint> | null;
  /** Whether nodes can be asked what it holds. */
  readonly hasBalances: boolean;
  readonly said: SignerAccount | null;
}

/** The accounts of an environment: those that follow from configured keys, and those that the signer says it pays from. */
export function readAccounts(env: Env, said: readonly SignerAccount[]): Promise<HotAccount[]> {
  const read = getServices()
    .networks.list(env)
    .map((adapter) => readAccount(adapter, said.find(({ network }) => network === adapter.network) ?? null));
  return Promise.all(read).then((accounts) => accounts.filter((account) => account !== null));
}

async function readAccount(adapter: NetworkAdapter, said: SignerAccount | null): Promise<HotAccount | null> {
  const { network } = adapter;
  if (said?.address === "")
    return { network, address: "", said, trust: "unpaid", balances: null, hasBalances: false };
  const derived = adapter.sending?.hotAccount() ?? null;
  const account = derived ?? (said && adapter.addresses.canonicalize(said.address));
  const address = account === null ? said?.address : adapter.addresses.display(account);
  if (address === undefined) return null;
  const isDisputed = derived !== null && said !== null && said.address !== address;
  const common = { network, address, said };
  if (account === null) return { ...common, trust: "path", balances: null, hasBalances: false };
  return {
    ...common,
    trust: isDisputed ? "disputed" : derived === null ? "said" : "derived",
    balances: await readBalances(adapter, account),
    hasBalances: paysFromAccount(adapter.sending),
  };
}

async function readBalances(
  { sending }: NetworkAdapter,
  account: string,
): Promise<ReadonlyMap<TokenCode, bigint> | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, NODE_MS, null);
  const asked = paysFromAccount(sending) ? sending.fetchBalances(account) : Promise.resolve(null);
  const balances = await Promise.race([asked.catch(() => null), late]);
  clearTimeout(timer);
  return balances;
}
