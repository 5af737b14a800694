import { NETWORKS } from "#lib/chains/networks.ts";
import { settledAtOnce } from "#tests/chains/contract/drivers/electrum.ts";
import { openBitcoin, startBitcoind } from "#tests/support/bitcoind.ts";
import { testElectrumStories } from "#tests/support/electrum-stories.ts";
import { startOwnServer } from "#tests/support/electrum-world.ts";

testElectrumStories(async () => {
  const node = await startBitcoind({ txindex: true });
  const server = await startOwnServer(node.url);
  return {
    ...{ server, bitcoin: openBitcoin(node.url), data: settledAtOnce(NETWORKS.bitcoin) },
    async close() {
      await server.close();
      await node.stop();
    },
  };
});
