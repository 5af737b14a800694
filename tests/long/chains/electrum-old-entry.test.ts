/** Litecoin from the tests' own Electrum server, which closes a connection that reads too many headers. */
import { test } from "node:test";
import { NETWORKS } from "#lib/chains/networks.ts";
import { settledAtOnce } from "#tests/chains/contract/drivers/electrum.ts";
import { LITECOIN_REGTEST, openBitcoin, startLitecoind } from "#tests/support/bitcoind.ts";
import { startElectrumFake } from "#tests/support/electrum-fake.ts";
import { testOldEntry } from "#tests/support/electrum-old-entry.ts";
import { startElectrumServer } from "#tests/support/electrum-server.ts";

/** e-x with default limits closes a connection after about 190,000 headers. */
const MOST_HEADERS = 3_500;

test("an old entry whose headers cost more than the server allows stops nothing, and is found", async (t) => {
  const node = await startLitecoind({ txindex: true });
  t.after(node.stop);
  const start = async () => {
    const server = await startElectrumServer(node.url);
    t.after(server.close);
    const fake = await startElectrumFake(server.url);
    t.after(fake.close);
    let sent = 0;
    fake.twist = async ({ method, params }) => {
      if (method === "server.version") sent = 0;
      if (method !== "blockchain.block.headers") return undefined;
      sent += Number(params[1]);
      if (sent <= MOST_HEADERS) return undefined;
      fake.answer = (response) => response.destroy();
      fake.answer = null;
      return undefined;
    };
    return fake.url;
  };
  await testOldEntry(t, openBitcoin(node.url, LITECOIN_REGTEST), {
    ...{ start, data: settledAtOnce(NETWORKS.litecoin) },
  });
});
