import { describeAge, type ProbeQuestion } from "../node-probe.ts";
import { readObject } from "./parse-ledger.ts";
import type { RippledClient } from "./rippled-client.ts";
import { fetchLedger, fetchValidatedLedger } from "./scan-account.ts";

/** Ledgers of about an hour. */
const HOUR_LEDGERS = 900;

/** Lists the questions to an XRP Ledger server, most important first. */
export function listXrpProbeQuestions(
  client: RippledClient,
  account: string,
  checkIdentity: () => Promise<void>,
): readonly ProbeQuestion[] {
  return [
    {
      what: "server_info, account_info",
      neededFor: "proof that this is the right network, and that the account exists",
      required: true,
      async ask() {
        await checkIdentity();
        const info = readObject("its state", (await client.ask("server_info", {}))?.info);
        const version = info.build_version ?? info.clio_version;
        return `the right network, version ${String(version)}, ledgers ${String(info.complete_ledgers)}`;
      },
    },
    {
      what: "ledger",
      neededFor: "new ledgers",
      required: true,
      async ask() {
        const { height, time } = await fetchValidatedLedger(client);
        return `ledger ${height}, ${describeAge(time)}`;
      },
    },
    {
      what: "account_tx",
      neededFor: "payments",
      required: true,
      async ask() {
        const { height } = await fetchValidatedLedger(client);
        const range = { ledger_index_min: height, ledger_index_max: height };
        await client.ask("account_tx", { account, ...range, limit: 1, forward: true });
        return "answered";
      },
    },
    {
      what: "ledger an hour ago",
      neededFor: "payments of an hour when this program was down",
      required: false,
      async ask() {
        const { height } = await fetchValidatedLedger(client);
        const header = await fetchLedger(client, Math.max(1, height - HOUR_LEDGERS));
        return header === null ? "the server does not hold it" : `ledger ${header.height}`;
      },
    },
    {
      what: "fee",
      neededFor: "the network fee that merchants may ask for",
      required: false,
      async ask() {
        await client.ask("fee", {});
        return "answered";
      },
    },
  ];
}
