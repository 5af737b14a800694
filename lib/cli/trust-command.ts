import { Argument, type Command } from "commander";
import { fetchCertificate } from "#lib/chains/electrum/certificate.ts";
import { parseElectrumUrl } from "#lib/chains/electrum/server-url.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { NETWORK_CODES, type NetworkCode } from "#lib/chains/networks.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { trustCertificate } from "#lib/domain/deposits/watch/node-certificates.ts";
import { type Cli, CommandRefusal, type WithCli } from "./cli.ts";
import { envOption } from "./options.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";

const CONNECT_MS = 10_000;

export function addTrustCommand(node: Command, withCli: WithCli): void {
  node
    .command("trust")
    .description("accept the certificate that an Electrum server shows now, after it changed")
    .addArgument(new Argument("<network>", "its code").choices(NETWORK_CODES))
    .argument("<node>", "host:port, as in the configuration")
    .option("--fingerprint <sha256>", "only this certificate, as the server's operator names it")
    .addOption(envOption())
    .action(withCli(trust));
}

async function trust(
  cli: Cli,
  network: NetworkCode,
  node: string,
  { env, fingerprint }: { readonly env: Env; readonly fingerprint?: string },
): Promise<void> {
  await cli.withDatabase(async ({ config, database }) => {
    const { rpcUrls = [] } = config.networks.find((one) => one.env === env && one.network === network) ?? {};
    const url = rpcUrls
      .map((text) => parseElectrumUrl(text))
      .find((one) => one?.encrypted && `${one.host}:${one.port}` === node);
    if (!url) throw new CommandRefusal(REFUSAL_TEXTS.server_unknown);
    const shown = await fetchCertificate(url, CONNECT_MS).catch((error: unknown) => {
      throw error instanceof NodeError ? new CommandRefusal(error.message) : error;
    });
    const wanted = fingerprint?.replaceAll(":", "").toLowerCase() ?? shown.fingerprint;
    if (wanted !== shown.fingerprint) throw new CommandRefusal(REFUSAL_TEXTS.other_certificate);
    const scope = { env, network, node };
    const { before } = await cli.performHere(database, trustCertificate, { scope, shown });
    cli.print({
      env,
      network,
      node,
      fingerprint: shown.fingerprint,
      by_authority: shown.byAuthority,
      before,
    });
  });
}
