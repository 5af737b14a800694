/** Answers of a node that are changed at random on their way to the code under test. */
import type { TestContext } from "node:test";

/** Numbers of one seed, so that a failure comes again. */
export function openRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return { next, pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T };
}
type Random = ReturnType<typeof openRandom>;

const WRONG: readonly unknown[] = [
  ...[null, undefined, "", "many", true, [], {}, -1, 0, 1, 1.5, 2 ** 31, 2 ** 53 - 1, 1e300],
  ...["0x", "0x0", "0x1", `0x${"f".repeat(16)}`, `0x${"f".repeat(64)}`, "-1", "99999999999999999999"],
  ...[4_102_444_800, 4_102_444_800_000, "2100-01-01T00:00:00Z", "tesSUCCESS", "finalized", "FAILED"],
];

/** The value with one of its parts changed. Undefined: the whole of it is missing. */
export function mutate(value: unknown, random: Random): unknown {
  const isDeep = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  if (!isDeep || random.next() < 0.1) return change(value, random);
  const key = random.pick(Object.keys(value));
  const part = mutate((value as Record<string, unknown>)[key], random);
  if (Array.isArray(value)) return value.with(Number(key), part);
  const { [key]: _former, ...rest } = value as Record<string, unknown>;
  return part === undefined ? rest : { ...value, [key]: part };
}

/** Numbers and quantities also become a little or much larger or smaller. */
function change(value: unknown, random: Random): unknown {
  const factor = random.pick([0.5, 0.99, 1.01, 2, 1_000, 1e9]);
  if (random.next() < 0.5 && typeof value === "number") return Math.floor(value * factor);
  if (random.next() < 0.5 && typeof value === "string" && /^0x[0-9a-f]{1,30}$/.test(value))
    return `0x${((BigInt(value) * BigInt(Math.floor(factor * 100))) / 100n).toString(16)}`;
  return random.pick(WRONG);
}

const HOST = "127.0.0.1:1";

/**
 * A URL that leads to the node, with answers that `twist` changes; undefined leaves one as it is, an Error refuses the call. No server
 * is in between: it would cost most of the time of thousands of answers.
 */
export function changeAnswers(t: TestContext, nodeUrl: string) {
  const front: { readonly url: string; twist: ((answer: unknown) => unknown) | null } = {
    url: `http://${HOST}/`,
    twist: null,
  };
  const node = new URL(nodeUrl);
  const user = Buffer.from(`${node.username}:${node.password}`).toString("base64");
  const headers = {
    "content-type": "application/json",
    ...(node.username && { authorization: `Basic ${user}` }),
  };
  [node.username, node.password] = ["", ""];
  const fetchReal = globalThis.fetch;
  globalThis.fetch = async (asked, init) => {
    const { host, pathname } = new URL(String(asked));
    if (host !== HOST) return fetchReal(asked, init);
    const response = await fetchReal(new URL(pathname, node), { ...init, headers });
    const answer: unknown = await response.json();
    const change = (one: unknown) => twistOne(one, (said) => front.twist?.(said));
    return Response.json(Array.isArray(answer) ? answer.map(change) : change(answer), {
      status: response.status,
    });
  };
  t.after(() => {
    globalThis.fetch = fetchReal;
  });
  return front;
}

/** One answer of JSON-RPC, or one of java-tron. */
function twistOne(answer: unknown, twist: (said: unknown) => unknown): unknown {
  const call = Object(answer) as { id?: unknown; result?: unknown };
  const isCall = call.id !== undefined;
  const wrong = twist(isCall ? call.result : answer);
  if (wrong === undefined) return answer;
  const message = wrong instanceof Error ? wrong.message : null;
  if (!isCall) return message === null ? wrong : { Error: message };
  const { id } = call;
  return message === null
    ? { jsonrpc: "2.0", id, result: wrong }
    : { jsonrpc: "2.0", id, error: { code: -32_603, message } };
}
