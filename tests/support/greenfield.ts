import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import type { Env } from "#lib/chains/network-data.ts";
import { PERMISSIONS, type Permission } from "#lib/domain/authority/types.ts";
import { createKey } from "#lib/domain/merchants/create-key.ts";
import { createGreenfield } from "#lib/web/greenfield/create-greenfield.ts";
import { performAs } from "#tests/support/acts.ts";
import { startTestApi, type TestApi, type TestMerchant } from "#tests/support/api.ts";
import { openBtcpayDocument } from "#tests/support/btcpay-document.ts";
import { keepSecrets } from "#tests/support/kept-logs.ts";

/** A request to the Greenfield protocol. */
export interface GreenfieldRequest {
  readonly method?: string;
  /** The whole path. */
  readonly path: string;
  readonly key?: string;
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly body?: string;
  /** In place of `content-type: application/json`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface GreenfieldResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of what it asks for.
  readonly body: any;
}

/** The store of a key, and how to ask as the key. */
export interface GreenfieldStore {
  readonly id: string;
  readonly key: string;
  /** Asks below the path of the store. */
  send(method: string, path: string, json?: unknown): Promise<GreenfieldResponse>;
}

export interface TestGreenfield {
  readonly api: TestApi;
  readonly origin: string;
  send(request: GreenfieldRequest): Promise<GreenfieldResponse>;
  /** A key with these permissions, of the test environment if nothing else is said. */
  key(
    merchant: TestMerchant,
    given?: {
      readonly permissions?: readonly Permission[];
      readonly env?: Env;
      readonly origin?: string | null;
    },
  ): Promise<string>;
  /** A store of a new merchant, with a key of every permission. */
  store(): Promise<GreenfieldStore & { readonly merchant: TestMerchant }>;
}

const checkAnswer = openBtcpayDocument();
export const PUBLIC_URL = "https://pay.example.com";

/** Starts the Greenfield protocol for the tests of this file. */
export async function startTestGreenfield(
  changes: Parameters<typeof startTestApi>[0] = {},
): Promise<TestGreenfield> {
  const api = await startTestApi(changes);
  const greenfield = createGreenfield({
    ...api.services,
    publicUrl: PUBLIC_URL,
    consoleUrl: `${PUBLIC_URL}/console`,
  });
  const server = createServer((request, response) => greenfield.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function send({
    method,
    path,
    key,
    json,
    body,
    headers,
  }: GreenfieldRequest): Promise<GreenfieldResponse> {
    const content = json === undefined ? body : JSON.stringify(json);
    const answer = await fetch(origin + path, {
      method: method ?? (content === undefined ? "GET" : "POST"),
      redirect: "manual",
      headers: {
        ...(headers ?? { "content-type": "application/json" }),
        ...(key !== undefined && { authorization: `token ${key}` }),
      },
      ...(content !== undefined && { body: content }),
    });
    const text = await answer.text();
    checkAnswer?.({
      method: method ?? (content === undefined ? "GET" : "POST"),
      path,
      status: answer.status,
      text,
    });
    const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null };
  }

  async function makeKey(
    merchant: TestMerchant,
    { permissions = PERMISSIONS, env = "test", origin: of = null }: Parameters<TestGreenfield["key"]>[1] = {},
  ): Promise<string> {
    const by = { merchantId: merchant.id, env };
    const given = { grant: { permissions, origin: of }, expiresAt: null };
    const made = await performAs(api.database.db, by, createKey, given);
    if (!made.ok) throw new Error(made.reason);
    keepSecrets(made.apiKey);
    return made.apiKey;
  }

  return {
    api,
    origin,
    send,
    key: makeKey,
    async store() {
      const merchant = await api.merchant();
      const key = await makeKey(merchant);
      const { body } = await send({ path: "/api/v1/stores", key });
      const id: string = body[0].id;
      const ask = (method: string, path: string, json?: unknown) =>
        send({ method, path: `/api/v1/stores/${id}${path}`, key, json });
      return { id, key, merchant, send: ask };
    },
  };
}
