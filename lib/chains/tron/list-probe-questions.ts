import type { NodeClient } from "../node-client.ts";
import type { ProbeQuestion } from "../node-probe.ts";
import { callTronApi } from "./http-api.ts";

/** An id that no transaction has. */
const NO_TRANSACTION = "0".repeat(64);

/** What is asked of java-tron's HTTP API. The reader of TRX tries out the blocks themselves. */
export function listTronProbeQuestions(
  line: NodeClient,
  readHeight: () => Promise<number>,
  receivesCoin: boolean,
): readonly ProbeQuestion[] {
  const results: ProbeQuestion = {
    what: "/wallet/gettransactioninfobyblocknum",
    neededFor: "payments in trx",
    required: true,
    async ask() {
      const { value } = await callTronApi(line, "gettransactioninfobyblocknum", {
        num: await readHeight(),
      });
      return Array.isArray(value) ? `${value.length} results` : "answered";
    },
  };
  return [
    ...(receivesCoin ? [results] : []),
    ...["gettransactionbyid", "gettransactioninfobyid"].map((call) => ({
      what: `/wallet/${call}`,
      neededFor: "withdrawals in trx, records of transactions",
      required: false,
      async ask() {
        await callTronApi(line, call, { value: NO_TRANSACTION });
        return "answered";
      },
    })),
  ];
}
