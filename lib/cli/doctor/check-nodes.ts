import type { ChainHead } from "#lib/chains/blocks.ts";
import type { NetworkConfig } from "#lib/chains/network.ts";
import type { NetworkData } from "#lib/chains/network-data.ts";
import type { CertificateStore } from "#lib/chains/node-certificates.ts";
import { NodeError, type NodeErrorKind } from "#lib/chains/node-error.ts";
import { describeAge, listMissing } from "#lib/chains/node-probe.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { withOneNode } from "#lib/chains/with-one-node.ts";
import { isStaleHead } from "#lib/domain/deposits/watch/node-trouble.ts";
import { variableName } from "#lib/server/variables/network-variables.ts";
import { type Finding, failed, ok, runCheck, warning } from "./finding.ts";

const NODE_LIMIT_MS = 25_000;
/** A node behind another one by more seconds of blocks, and by more blocks, is notable. */
const BEHIND_SECONDS = 60;
const BEHIND_BLOCKS = 3;
/** Blocks on quick networks have the time of their making. Miners of slow ones may choose a time up to two hours ahead. */
const QUICK_SECONDS = 30;
const AHEAD_MS = 30_000;

/** The certificate of a server is not remembered: that is up to the watcher. */
const ANY_CERTIFICATE: CertificateStore = { remember: async (_, shown) => shown };

/** Checks every configured node, side by side, and compares the nodes of a network. */
export async function checkNodes(
  configs: readonly NetworkConfig[],
  now: () => Date,
): Promise<readonly Finding[]> {
  if (configs.length === 0)
    return [
      warning(
        "networks",
        "no network is on",
        "Set a node and an account key, such as LIVE_BEP20_RPC_URL and LIVE_BEP20_XPUB. `paylink setup` asks for both.",
      ),
    ];
  return (await Promise.all(configs.map((config) => checkNetwork(config, now)))).flat();
}

async function checkNetwork(config: NetworkConfig, now: () => Date): Promise<readonly Finding[]> {
  const heights = new Map<string, number>();
  const findings = await Promise.all(
    config.rpcUrls.map((url, place) => {
      const check = `node ${config.env} ${config.network} ${new URL(url).host}`;
      return runCheck(check, NODE_LIMIT_MS, async () => {
        const one = withOneNode(config, place);
        try {
          return await checkNode(check, one, now, heights);
        } catch (error) {
          if (!(error instanceof NodeError)) throw error;
          return [explainError(check, config, error)];
        }
      });
    }),
  );
  const best = Math.max(...heights.values());
  const [adapter] = openNetworks([withOneNode(config, 0)]).all();
  return findings
    .flat()
    .map((one) => compareHeight(one, heights.get(one.check) ?? best, best, adapter?.data));
}

async function checkNode(
  check: string,
  config: NetworkConfig,
  now: () => Date,
  heights: Map<string, number>,
): Promise<readonly Finding[]> {
  const [adapter] = openNetworks([config], { certificates: ANY_CERTIFICATE }).all();
  if (adapter === undefined) throw new Error("the network has no adapter");
  const head = await adapter.blocks.fetchHead();
  const [probe] = await adapter.nodes.probe({ all: false });
  const missing = listMissing(probe?.checks ?? []);
  const found = describeHead(adapter.data, config, head);
  if (missing.length > 0)
    return [
      failed(
        check,
        `${found}; it lacks ${missing.join("; ")}`,
        `The network cannot be watched with it: use another node or plan. All that it can do: ${probeCommand(config)}`,
      ),
    ];
  if (isStaleHead(head, adapter.data, now()))
    return [
      failed(
        check,
        `${found}: no new block`,
        "The node is syncing, has no peers, or this machine's clock is ahead: check both. docs/operate/nodes.md",
      ),
    ];
  const clock = compareWithBlock(config, head, adapter.data, now());
  heights.set(check, head.height);
  return clock === null ? [ok(check, found)] : [ok(check, found), clock];
}

function describeHead({ chainId }: NetworkData, { env }: NetworkConfig, { height, time }: ChainHead): string {
  const chain = chainId === null ? "" : `chain ${chainId[env]}, `;
  return `${chain}height ${height}${time ? `, newest block ${describeAge(time)}` : ""}`;
}

/** A block that is made later than now shows that this machine's clock is behind. */
function compareWithBlock(
  { env, network }: NetworkConfig,
  { time }: ChainHead,
  { blockSeconds, isDevelopment }: NetworkData,
  now: Date,
): Finding | null {
  if (!time || isDevelopment || blockSeconds > QUICK_SECONDS) return null;
  const ahead = time.getTime() - now.getTime();
  if (ahead <= AHEAD_MS) return null;
  return failed(
    "clock",
    `this machine is ${Math.round(ahead / 1_000)} s behind the newest block of ${env} ${network}`,
    "Synchronize the clock: `timedatectl set-ntp true`.",
  );
}

function compareHeight(
  finding: Finding,
  height: number,
  best: number,
  data: NetworkData | undefined,
): Finding {
  const behind = best - height;
  if (finding.status !== "ok" || behind <= BEHIND_BLOCKS) return finding;
  if (behind * (data?.blockSeconds ?? 1) <= BEHIND_SECONDS) return finding;
  return warning(
    finding.check,
    `${finding.found}, ${behind} blocks behind the network's best node`,
    "The others are used meanwhile. Check its peers and whether it syncs.",
  );
}

function explainError(check: string, config: NetworkConfig, error: NodeError): Finding {
  const variable = variableName(config, "RPC_URL");
  const network = `${config.network} in ${config.env}`;
  const unreachable = `Check that the node runs and that this machine reaches it, then ${variable}. Try it alone: ${probeCommand(config)}`;
  const advice: Readonly<Record<NodeErrorKind, string>> = {
    unreachable,
    malformed: `This may not be the RPC of a node: check ${variable}.`,
    refused: `Check the key or password in ${variable} and ${variableName(config, "RPC_HEADERS")}, and what the plan allows.`,
    rate_limited: `The plan is used up or too small: docs/operate/providers.md. ${variableName(config, "RPC_BUDGET")} sets how much is asked.`,
    wrong_chain: `Set ${variable} to a node of ${network}: the live and the test chain have different nodes.`,
    inconsistent: "Run the command again: the chain was changing.",
    behind: unreachable,
    stale: unreachable,
  };
  return failed(check, error.message, advice[error.kind]);
}

const probeCommand = ({ env, network }: NetworkConfig) =>
  `npm run -s paylink -- node probe ${network} --env ${env}`;
