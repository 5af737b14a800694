import type { Metadata } from "next";
import { type NetworkState, StatusPage } from "#components/home/status-page.tsx";
import { hostTextsOf } from "#components/home/texts.ts";
import { ENVS, type Env } from "#lib/chains/network-data.ts";
import { NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { listNetworkTroubles } from "#lib/domain/network-status/queries.ts";
import { lateNetworkName, qualifiedNetworkName } from "#lib/domain/network-status/rules.ts";
import { getServices } from "#lib/web/services.ts";
import { readPageLanguage } from "../page-request.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: hostTextsOf(await readPageLanguage()).networkStatus.title };
}

/** The state of each network, for payers and merchants. One rendering serves all visitors for five seconds (lib/web/page/kept-pages.ts). */
export default async function Page() {
  const { database, networks } = getServices();
  const texts = hostTextsOf(await readPageLanguage());
  const { unwatched, late } = await listNetworkTroubles({ db: database.db, networks }, new Date());
  const stateOf = (env: Env, network: NetworkCode): NetworkState["state"] => {
    if (unwatched.includes(qualifiedNetworkName(env, network))) return "unwatched";
    return late.includes(lateNetworkName(env, network)) ? "late" : "well";
  };
  const groups = ENVS.map((env) => ({
    env,
    networks: networks.list(env).map(({ network }) => ({
      name: NETWORKS[network].name,
      state: stateOf(env, network),
    })),
  }));
  return <StatusPage texts={texts} groups={groups} />;
}
