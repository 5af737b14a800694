import { TRANSFER_TOPIC } from "../evm/codec.ts";

/** The logs in a block's results: how many there are, and the accounts that those of the asked contracts pay (0x and hex). */
export interface LogReceivers {
  readonly logs: number;
  readonly receivers: readonly string[];
}

/**
 * Lists who the token transfers in an answer of gettransactioninfobyblocknum pay. It decides only whether the logs themselves must be asked for,
 * so a transfer of 0 and one that failed count, too. Returns null where a log cannot be read: it may pay anyone.
 */
export function listLogReceivers(answer: unknown, contracts: readonly string[]): LogReceivers | null {
  let logs = 0;
  const receivers: string[] = [];
  for (const info of Array.isArray(answer) ? answer : []) {
    const { log: entries = [] } = Object(info) as { log?: unknown };
    if (!Array.isArray(entries)) return null;
    for (const entry of entries) {
      const { address, topics } = Object(entry) as { address?: unknown; topics?: unknown };
      // 20 bytes without TRON's first one.
      if (typeof address !== "string" || !/^[0-9a-f]{40}$/i.test(address)) return null;
      logs += 1;
      if (!contracts.includes(`0x${address.toLowerCase()}`)) continue;
      const [event, , receiver] = Array.isArray(topics) ? topics : [];
      if (`0x${String(event).toLowerCase()}` !== TRANSFER_TOPIC) continue;
      if (typeof receiver !== "string" || !/^[0-9a-f]{64}$/i.test(receiver)) return null;
      receivers.push(`0x${receiver.slice(24).toLowerCase()}`);
    }
  }
  return { logs, receivers };
}
