import assert from "node:assert/strict";
import { before, test } from "node:test";
import { addIp } from "#lib/domain/merchants/ip-entries.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { actOf } from "#tests/support/acts.ts";
import { startTestApi, type TestApi, type TestMerchant, type TestRequest } from "#tests/support/api.ts";
import { evmHash } from "#tests/support/deposits.ts";
import { fillPath, listOperations, type Operation } from "#tests/support/operations.ts";
import { fillBooks } from "./fill-books.ts";
import { NO_REQUEST, watchWrites } from "./watch-writes.ts";

/** Values to try in any field, path or query. */
export const TEXTS: readonly string[] = [
  ...["", " ", "0", "-0", "-1", "1e400", "1e-400", "NaN", "Infinity", "-Infinity", "0x10", " 1 ", "1,5", "٣"],
  ...[`0.${"1".repeat(30)}`, `1${"0".repeat(30)}`, "9007199254740993", "null", "true", "undefined"],
  ...["\0", "a\0b", "\ud800", "a\udc00", "\u202e", "🙂", "\r\n", "%", "%zz", "%00", "..", "../../etc/passwd"],
  ...["[", "{", '"', "[]", "{}", "[[]]", "[null]", '{"__proto__":null}', '{"email":{}}'],
  ...["__proto__", "constructor", "toString", "hasOwnProperty"],
  ...["' or 1=1 --", "<script>", "https://[", "javascript:1", "2026-13-40T99:99Z", "0000-00-00"],
  ...["x".repeat(300), "9".repeat(5_000), "x".repeat(60_000), "[".repeat(20_000)],
];
/** JSON sources that are not valid texts. Lone surrogates represent a text that UTF-8 cannot encode. */
export const SOURCES: readonly string[] = [
  ...["null", "true", "false", "0", "-0", "1e400", "-1e400", "1e-400", "9007199254740993"],
  `0.${"1".repeat(30)}`,
  ...["{}", "[]", "[[]]", "[null]", '{"a":{"b":{}}}', '[{"network":{},"token":[]}]', '{"__proto__":{"x":1}}'],
  ...['"\\u0000"', '"\\ud800"', '{"email":"\\ud800","first_name":"\\u0000","last_name":[]}'],
  ...[`${"[".repeat(20_000)}${"]".repeat(20_000)}`, `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`],
];

/** Texts that a URL can have. */
export const URL_TEXTS = TEXTS.filter((text) => text.isWellFormed() && text.length < 10_000).map(
  encodeURIComponent,
);
/** A request, and what its response must be. */
export interface Attempt {
  readonly what: string;
  readonly request: TestRequest;
  /** Default: any status that the promises above allow. */
  readonly status?: number | "a refusal";
  /** A part of the text of the response. */
  readonly says?: string;
  /** Data of the other merchant that the request has itself. */
  readonly mayKnow?: readonly string[];
}

const AT_ONCE = 8;
/** Requests of these that arrive together are written together, so that nobody could tell whose rows they are. */
const WRITTEN_TOGETHER = ["createPaymentLink", "buyToken"];
/** Settings that live and test share are changed with a live key, while there is an IP list. */
const SHARED = new Set(
  ENDPOINTS.filter(({ changes }) => changes === "merchant").map(({ operationId }) => operationId),
);

/**
 * Sends every operation of the OpenAPI document requests that no client should send. The response must
 * always be the envelope. It must never have a text that the document does not list (tests/support/api.ts
 * checks this for every response), be a 500, or contain data of another merchant. A refused request must
 * write nothing.
 */
export class Attacker {
  readonly operations = listOperations();
  readonly api: TestApi;
  /** Written when a row is committed, by the id of its request. */
  readonly writes: ReadonlyMap<string, readonly string[]>;
  readonly merchant: TestMerchant;
  readonly victim: TestMerchant;
  /** Identifiers of the victim. */
  foreign: Readonly<Record<string, string>> = {};
  readonly #listOwner: TestMerchant;
  readonly #refused = new Map<string, string>();
  #secrets: readonly string[] = [];
  /** The rows of the preparation. */
  #prepared = 0;

  constructor(
    api: TestApi,
    writes: Attacker["writes"],
    merchants: readonly [attacker: TestMerchant, victim: TestMerchant, listOwner: TestMerchant],
  ) {
    this.api = api;
    this.writes = writes;
    [this.merchant, this.victim, this.#listOwner] = merchants;
  }

  async prepare(): Promise<void> {
    const { api, merchant, victim } = this;
    for (const { id } of [merchant, this.#listOwner])
      await api.database.db.transaction((tx) => addIp(actOf(tx, id), { name: "here", address: "127.0.0.1" }));
    this.foreign = await fillBooks(api, victim, 1);
    await fillBooks(api, merchant, 2);
    // The reference of a withdrawal can also be one of a link that the attacker makes.
    const { withdrawal: _, ...rest } = this.foreign;
    this.#secrets = [victim.email, ...Object.values(rest)];
    this.#prepared = this.writes.get(NO_REQUEST)?.length ?? 0;
  }

  /** The parts of a request of an operation, and a good request. */
  requestsOf(operation: Operation) {
    const { id, method } = operation;
    // A path that exists.
    const path = fillPath(operation.path, (name) => (name === "network" ? "bep20" : evmHash(0xabcdef02)));
    const key = id === "addWhitelistedIp" ? this.#listOwner : this.merchant;
    const headers: Record<string, string> = SHARED.has(id)
      ? { "x-api-key": key.live }
      : { "x-staging-api-key": this.merchant.test };
    const post = { method, path, headers } as const;
    const good = operation.hasBody ? { ...post, form: asForm(example(operation)) } : post;
    return { path, headers, post, good, fieldNames: [...operation.fields.keys()] };
  }

  /** Sends requests of an operation, some at the same time, and asserts the promises above. */
  async drive(id: string, attempts: readonly Attempt[]): Promise<void> {
    const queue = attempts.values();
    const driveRest = async () => {
      for (const attempt of queue) await this.#driveOne(attempt);
    };
    const length = WRITTEN_TOGETHER.includes(id) ? 1 : AT_ONCE;
    await Promise.all(Array.from({ length }, driveRest));
  }

  async #driveOne({ what, request, status: expected, says = "", mayKnow = [] }: Attempt): Promise<void> {
    const { status, headers, text, body: json } = await this.api.send(request);
    const body = json as Record<string, unknown>;
    const notFound = body.message === "no webhook events found for the provided transaction";
    const said = `${what}: ${status} ${text.slice(0, 300)}`;
    if (typeof expected === "number") assert.equal(status, expected, said);
    if (expected === "a refusal") assert.notEqual(status, 200, said);
    assert.ok(text.includes(says), said);
    assert.ok(status === 200 || (status >= 400 && status < 500) || status > 500 || notFound, said);
    if (status === 200) {
      assert.deepEqual(Object.keys(body).slice(0, 3), ["status", "message", "data"], said);
      assert.equal(body.status, "success", said);
    } else {
      assert.deepEqual(Object.keys(body), ["status", "message", "code", "doc_url"], said);
      assert.ok(body.status === "fail" || body.message === "transaction_hash is required", said);
      assert.match(String(body.message), /^[^\p{Cc}\p{Cs}]{1,200}$/u, said);
      assert.doesNotMatch(
        String(body.message),
        /select|insert|zod|Error|undefined|at \/|node_modules/i,
        said,
      );
      const requestId = headers.get("x-request-id") ?? "";
      this.#refused.set(requestId, what);
      this.#assertWroteNothing(requestId, what);
    }
    // Forms and settings show what their merchant wrote, and tests write the other's values (tests/api/forms.test.ts and
    // tests/api/merchant-settings.test.ts have the rest).
    const shown = /^\/(?:forms|merchant)/.test(request.path) ? this.#secrets : mayKnow;
    for (const secret of this.#secrets) {
      if (!shown.includes(secret))
        assert.ok(!text.includes(secret), `${what} contains ${secret} of another merchant`);
    }
  }

  #assertWroteNothing(requestId: string, what: string): void {
    assert.deepEqual(this.writes.get(requestId) ?? [], [], `${what} was refused but wrote something`);
  }

  /** Adds the last test of a file. */
  testThatNothingWasWritten(leastRefused: number): void {
    test("no refused request wrote anything after its response, and nothing was written outside of requests", () => {
      assert.ok(this.#refused.size > leastRefused, String(this.#refused.size));
      for (const [requestId, what] of this.#refused) this.#assertWroteNothing(requestId, what);
      assert.deepEqual(this.writes.get(NO_REQUEST)?.slice(this.#prepared), []);
    });
  }
}

/** The attacker of a test file, with a server and a database of its own. */
export async function openAttacker(): Promise<Attacker> {
  const api = await startTestApi();
  const writes = await watchWrites(api.database.database);
  const merchants = [
    await api.merchant("Attacker"),
    await api.merchant("Victim"),
    // The IP list gets long, which would slow down every other request.
    await api.merchant("Owner of a long IP list"),
  ] as const;
  const attacker = new Attacker(api, writes, merchants);
  before(() => attacker.prepare());
  return attacker;
}

export const example = (operation: Operation) =>
  Object.fromEntries(operation.required.map((name) => [name, operation.fields.get(name)]));
const asText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
export const asForm = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, asText(value)]));
export const short = (text: string) =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text);
