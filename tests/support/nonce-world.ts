/** A signer whose node errs about how many transactions the hot account has sent. */
import type { TestContext } from "node:test";
import { mine, USDT_ADDRESS } from "./anvil.ts";
import { openFakeNode } from "./fake-node.ts";
import { ACCOUNT_KEY, policyText, type SignerWorld, signerWorld } from "./signer-world.ts";
import { evmNetwork } from "./watched-chain.ts";

/** A front that says so of the hot account, at the newest block or at every one, and a signer that uses nodes. */
export async function openNonceWorld(t: TestContext) {
  const w = await signerWorld(t);
  const front = await openFakeNode(t, w.url);
  let at = Date.now();
  const say = (count: number | null, where: "newest" | "all" = "newest") => {
    front.twist =
      count === null
        ? null
        : ({ method, params }) =>
            method === "eth_getTransactionCount" &&
            params[0] === w.hot &&
            (where === "all" || params[1] === "latest")
              ? `0x${count.toString(16)}`
              : undefined;
  };
  const start = (urls: readonly string[] = [front.url]) => {
    const networks = evmNetwork("bep20", urls, { usdt: USDT_ADDRESS }, { accountKey: ACCOUNT_KEY });
    return w.start(policyText(), { networks, now: () => new Date(at) });
  };
  return {
    ...w,
    front,
    say,
    start,
    wait: (minutes: number) => {
      at += minutes * 60_000;
    },
    other: w.start,
    /** Steps with blocks between, half a minute apart. */
    async run(signer: ReturnType<typeof start>, steps: number, blocks = 4) {
      for (let done = 0; done < steps; done++) {
        await w.step(signer);
        await mine(w.url, blocks);
        at += 31_000;
      }
    },
  };
}

/** The kind and the nonce of each transaction of the journal. */
export const noncesOf = (w: Pick<SignerWorld, "journal">) =>
  w.journal().map(({ kind, spends: [spent] }) => [kind, Number(spent?.split(":")[1])]);
