/**
 * Runs the emulator as its own process: `node lib/dev-chains/tron-emulator/main.ts --port 8090 --state
 * data/trc20.json --block-time 2000 --solidified-lag 2` (or `--manual-mining`; `--resources`). Prints one line of JSON when
 * it listens.
 */
import { parseArgs } from "node:util";
import { startTronEmulator } from "./start-tron-emulator.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string" },
    state: { type: "string" },
    "block-time": { type: "string" },
    "solidified-lag": { type: "string" },
    "manual-mining": { type: "boolean" },
    resources: { type: "boolean" },
  },
});

const emulator = await startTronEmulator({
  ...(values.port !== undefined && { port: Number(values.port) }),
  ...(values.state !== undefined && { statePath: values.state }),
  ...(values["block-time"] !== undefined && { blockTimeMs: Number(values["block-time"]) }),
  ...(values["solidified-lag"] !== undefined && { solidifiedLag: Number(values["solidified-lag"]) }),
  automine: values["manual-mining"] !== true,
  resources: values.resources === true,
});
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void emulator.stop().then(() => process.exit(0)));
}
const { url, chainId, usdt, faucet } = emulator;
console.log(JSON.stringify({ url, chainId, usdt, faucet, enginePid: await emulator.enginePid() }));
