/** A watcher in its own process. DATABASE_URL, RPC_URL and FAILPOINT configure it. */
import { watchInProcess } from "#tests/support/watch-in-process.ts";
import { bep20 } from "#tests/support/watched-chain.ts";

watchInProcess(bep20(process.env.RPC_URL ?? ""), "usdt/usd=1");
