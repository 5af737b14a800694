import type { NodeClient } from "../node-client.ts";
import type { ProbeQuestion } from "../node-probe.ts";
import { callTronApi } from "./http-api.ts";

/** An id that no transaction has. */
const NO_TRANSACTION = "0".repeat(64);

/** An address that nobody has a key of, and no contract. */
const NOBODY = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";
/** The signer's requests before it pays and sweeps, in the form that changes nothing. */
const SIGNER_CALLS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  getaccount: { address: NOBODY, visible: true },
  getaccountresource: { address: NOBODY, visible: true },
  getchainparameters: {},
  triggerconstantcontract: {
    owner_address: NOBODY,
    contract_address: NOBODY,
    data: "",
    visible: true,
  },
};

/** Lists the questions to java-tron's HTTP API. The reader of TRX tries out the blocks themselves. */
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
    ...Object.entries(SIGNER_CALLS).map(([call, request]) => ({
      what: `/wallet/${call}`,
      neededFor: "the signer, if you run one",
      required: false,
      async ask() {
        await callTronApi(line, call, request);
        return "answered";
      },
    })),
  ];
}
