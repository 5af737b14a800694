import { Argument, type Command } from "commander";
import { isElectrumUrl } from "#lib/chains/electrum/server-url.ts";
import { estimateCalls } from "#lib/chains/estimate-calls.ts";
import { getFamily } from "#lib/chains/families.ts";
import type { NetworkConfig } from "#lib/chains/network.ts";
import type { Env, NetworkData } from "#lib/chains/network-data.ts";
import { NETWORK_CODES, type NetworkCode } from "#lib/chains/networks.ts";
import type { CertificateStore } from "#lib/chains/node-certificates.ts";
import { listMissing, type NodeProbe, type ProbeCheck } from "#lib/chains/node-probe.ts";
import { describeProvider } from "#lib/chains/providers/find-provider.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { withOneNode } from "#lib/chains/with-one-node.ts";
import { type Cli, CommandRefusal, type WithCli } from "./cli.ts";
import { envOption } from "./options.ts";
import { addFormatOptions, type FormatOptions, printRows } from "./print-list.ts";
import { addTrustCommand } from "./trust-command.ts";

/** A server is only tried out. Watching remembers its certificate. */
const ANY_CERTIFICATE: CertificateStore = { remember: async (_, shown) => shown };

type Given = FormatOptions & { readonly env: Env };

export function addNodeCommands(group: Command, withCli: WithCli): void {
  const probe = group
    .command("probe")
    .description(
      "try out everything that is asked of a network's nodes: what works, what is missing, how fast, how much at once",
    )
    .addArgument(new Argument("<network>", "its code").choices(NETWORK_CODES))
    .argument(
      "[url]",
      "one node, also one that is not configured; default: all configured nodes of the network",
    )
    .addOption(envOption());
  addFormatOptions(probe).action(withCli(probeNetwork));
  addTrustCommand(group, withCli);
}

async function probeNetwork(
  cli: Cli,
  network: NetworkCode,
  url: string | undefined,
  options: Given,
): Promise<void> {
  const config = findConfig(cli, network, url, options.env);
  const [adapter] = openNetworks([config], { certificates: ANY_CERTIFICATE }).all();
  if (adapter === undefined) throw new Error(`${network} has no adapter`);
  const probes = await adapter.nodes.probe({
    all: true,
    onCheck: (node, check) => cli.printMessage(describeProgress(node, check)),
  });
  const rows = probes.flatMap(({ node, checks }) => checks.map((check) => toRow(node, check)));
  printRows(cli, rows, options, ["node", "what", "ok", "required", "ms", "answer"]);
  for (const probe of probes) printResult(cli, probe);
  if (!config.rpcUrls.some(isElectrumUrl)) printCalls(cli, adapter.data);
  if (probes.some(lacksSomething)) throw new CommandRefusal("not every node can be used");
}

/** The configured network, or one that consists of the given node. */
function findConfig(cli: Cli, network: NetworkCode, url: string | undefined, env: Env): NetworkConfig {
  const { networks } = cli.readConfigWithDemo();
  const configured = networks.find((one) => one.env === env && one.network === network) ?? null;
  if (url === undefined) {
    if (configured !== null) return configured;
    throw new CommandRefusal(
      `${network} has no node in ${env}: set ${`${env}_${network}`.toUpperCase()}_RPC_URL, or name a URL`,
    );
  }
  if (!URL.canParse(url)) throw new CommandRefusal("the URL is not valid");
  const accountKey = getFamily(network).accountKey?.example ?? "";
  const base = configured ?? {
    env,
    network,
    rpcUrls: [],
    accountKey,
    zmqUrl: null,
    chainId: null,
    contracts: {},
  };
  // A URL that is not configured has no headers.
  const rpcUrls = [...base.rpcUrls, url];
  return withOneNode({ ...base, rpcUrls }, rpcUrls.indexOf(url));
}

function describeProgress(node: string, { ok, what, answer, ms }: ProbeCheck): string {
  return `${ok ? "ok     " : "MISSING"} ${node}  ${what}  ${answer}  (${ms} ms)`;
}

function toRow(node: string, { neededFor, ...check }: ProbeCheck) {
  return { node, ...check, needed_for: neededFor };
}

function lacksSomething({ checks }: NodeProbe): boolean {
  return checks.length === 0 || listMissing(checks).length > 0;
}

function printCalls(cli: Cli, data: NetworkData): void {
  const { open, idle } = estimateCalls(data);
  const show = (calls: number) => Math.round(calls / 1_000).toLocaleString("en-US");
  const second = (open / 86_400).toFixed(1);
  const pauses = data.idleMs ? `, ${show(idle)},000 while none is` : "";
  cli.printMessage(
    `about ${show(open)},000 calls a day (${second} a second) while payments are expected${pauses}; see docs/operate/providers.md`,
  );
  if (getFamily(data).readsMempool) cli.printMessage("and one for each transaction in the mempool, once");
}

function printResult(cli: Cli, probe: NodeProbe): void {
  if (probe.provider !== null) {
    for (const line of describeProvider(probe.provider)) cli.printMessage(`${probe.node} ${line}`);
  }
  const missing = probe.checks.filter(({ ok }) => !ok);
  const result = lacksSomething(probe) ? "cannot be used" : "can be used";
  const without =
    missing.length === 0 ? "" : `. Missing: ${missing.map(({ neededFor }) => neededFor).join("; ")}`;
  cli.printMessage(`${probe.node} ${result}${without}`);
}
