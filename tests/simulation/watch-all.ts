import { runPass } from "#lib/domain/deposits/watch/run-pass.ts";
import type { Work } from "./world.ts";

export const WATCH: Work = {
  label: "watch until nothing is left to read",
  run: async ({ watchers }) => {
    for (const { watch, memory, mempool } of watchers) {
      mempool?.wake();
      while (await runPass(watch, memory, { mempool }));
    }
  },
};
