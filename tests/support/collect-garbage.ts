/** Preloaded into a server that is measured (NODE_OPTIONS=--import): SIGUSR2 has it collect its garbage at once. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  process.on("SIGUSR2", () => collect());
}
