import { Agent, createServer, type IncomingMessage, request as openRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { after } from "node:test";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import type { EvmNetwork } from "#lib/chains/evm/family.ts";
import { ENVS, type Env } from "#lib/chains/network-data.ts";
import { nodeCounters } from "#lib/chains/node-metrics.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { openSandbox } from "#lib/domain/sandbox/open-sandbox.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import { openLog } from "#lib/platform/log/open-log.ts";
import { createLogoConverter } from "#lib/platform/pictures/logo-converter.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { createApiListener, respondToClientError } from "#lib/web/api/app.ts";
import { knowClients } from "#lib/web/api/client-address.ts";
import type { ApiServices } from "#lib/web/api/types.ts";
import { logRequests } from "#lib/web/log-requests.ts";
import { createPaylinkClient, type PaylinkClient } from "#packages/client/src/client.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { keepLog, keepSecrets } from "#tests/support/kept-logs.ts";
import { checkResponse } from "#tests/support/openapi-check.ts";
import { newMerchant } from "./new-merchant.ts";

/** The mnemonic of every development chain. Live uses its account 0, test its account 1. */
export const MNEMONIC = "test test test test test test test test test test test junk";
export const ACCOUNT_OF: Readonly<Record<Env, number>> = { live: 0, test: 1 };

/** Encrypts the webhook secrets of merchants. */
export const SECRET_KEY = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

export interface TestMerchant {
  readonly id: number;
  readonly email: string;
  readonly live: string;
  readonly test: string;
}

export interface TestRequest {
  readonly method?: string;
  /** Below /v1. A path that starts with "//" is used as a whole path. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An API key, for the header of its environment. */
  readonly key?: string;
  /** Fields to encode, or a whole encoded body. */
  readonly form?: Readonly<Record<string, string>> | string;
  readonly json?: unknown;
  /** Sent unchanged, with the type in `headers`. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

export interface TestApi {
  readonly origin: string;
  readonly port: number;
  readonly database: TestDatabase;
  readonly services: ApiServices;
  /** All log lines, one JSON object each. */
  readonly logLines: readonly Record<string, unknown>[];
  merchant(name?: string): Promise<TestMerchant>;
  /** The typed client of merchants with this key, for every request that its types allow. */
  client(apiKey: string): PaylinkClient;
  /** Sends any request. */
  send(request: TestRequest): Promise<TestResponse>;
  close(): Promise<void>;
}

let merchants = 0;

/**
 * Starts the API on its own port: bep20 is enabled in both environments, rates are fixed, and there is no node. It has its
 * own database, unless `changes` give it one.
 */
export async function startApi(changes: Partial<ApiServices> = {}): Promise<TestApi> {
  const database = changes.database === undefined ? await testDatabase() : given(changes.database);
  const logged: Record<string, unknown>[] = [];
  const log = openLog("info", {
    write(line: string) {
      logged.push(JSON.parse(line));
      keepLog("api", line);
    },
  });
  const configs = [evmConfig("live"), evmConfig("test")];
  const linkServices = {
    networks: openNetworks(configs, { log, counters: nodeCounters }),
    rates: openRates({ fixed: "usdt/usd=1,btc/usd=60000,usd/ngn=1500", log }),
    settings: { paymentUrl: "https://pay.example.com", quoteMinutes: 20, confirmGraceHours: 24 },
  };
  const services: ApiServices = {
    database: database.database,
    ...linkServices,
    log,
    trustedProxies: [],
    rateLimit: { perSecond: 10_000, burst: 10_000 },
    deskLimitUsd: 1_000_000,
    deskSpreadBps: 0,
    sandbox: openSandbox({ links: { db: database.db, ...linkServices }, configs, log }),
    secrets: openSecrets(SECRET_KEY),
    webhookAllowCidrs: ["127.0.0.0/8"],
    convertLogo: createLogoConverter(),
    ...changes,
  };
  const server = createServer(
    knowClients(logRequests(createApiListener(services), services), services.trustedProxies),
  );
  server.on("clientError", respondToClientError);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const secrets = openSecrets(SECRET_KEY);
  const agent = new Agent({ keepAlive: true });
  keepSecrets(SECRET_KEY, MNEMONIC);
  return {
    origin,
    port,
    database,
    services,
    logLines: logged,
    async merchant(name = "Shop") {
      merchants += 1;
      const email = `shop${merchants}@example.com`;
      const created = await newMerchant(database.db, { sealer: secrets, email, name });
      keepSecrets(created.live.apiKey, created.test.apiKey);
      return { id: created.merchant.id, email, live: created.live.apiKey, test: created.test.apiKey };
    },
    client: (apiKey) =>
      createPaylinkClient({
        ...{ baseUrl: `${origin}/v1`, apiKey },
        fetch: (request) => fetchAs(origin, agent, request),
      }),
    send: (request) => send(origin, agent, request),
    async close() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await database.close();
    },
  };
}

/** Starts the API for the tests of this file, or for the test that calls. It is closed after them. */
export async function startTestApi(changes: Partial<ApiServices> = {}): Promise<TestApi> {
  const api = await startApi(changes);
  after(() => api.close());
  return api;
}

/** A database that somebody else closes. */
const given = (database: Database): TestDatabase => ({
  ...{ database, db: database.db, url: database.url },
  close: async () => {},
});

/** For the typed client. */
async function fetchAs(origin: string, agent: Agent, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { status, headers, text } = await send(origin, agent, {
    method: request.method,
    path: pathname.replace(/^\/v1/, "") + search,
    headers: Object.fromEntries(request.headers),
    ...(request.body !== null && { body: await request.text() }),
  });
  return new Response(text, { status, headers });
}

/** Sends with node:http, in half the time of fetch. Asserts that the OpenAPI document describes the response. */
async function send(origin: string, agent: Agent, request: TestRequest): Promise<TestResponse> {
  const { form, json, path, key } = request;
  const content =
    typeof form === "object"
      ? new URLSearchParams(form).toString()
      : json !== undefined
        ? JSON.stringify(json)
        : (form ?? request.body);
  const method = request.method ?? (content === undefined ? "GET" : "POST");
  const url = new URL(path.startsWith("//") ? origin + path.slice(1) : `${origin}/v1${path}`);
  const sent = openRequest(url, {
    agent,
    method,
    headers: {
      ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { [key.startsWith("pl_live_") ? "x-api-key" : "x-staging-api-key"]: key }),
      ...request.headers,
    },
  });
  // The server may answer before it has the whole body. The error of the rest then counts for nothing.
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on("response", resolve).on("error", reject).end(content);
  });
  const text = await readText(response);
  const status = response.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(response.headersDistinct))
    for (const value of values) headers.append(name, value);
  const isJson = headers.get("content-type")?.startsWith("application/json") === true;
  const body: unknown = text === "" || !isJson ? null : JSON.parse(text);
  if (body !== null) checkResponse(method, path.replace(/\?.*$/s, ""), status, body, headers);
  return { status, headers, text, body };
}

const ACCOUNT_KEYS = new Map(
  ENVS.map((env) => {
    const root = HDKey.fromMasterSeed(mnemonicToSeedSync(MNEMONIC));
    return [env, root.derive(`m/44'/60'/${ACCOUNT_OF[env]}'`).publicExtendedKey];
  }),
);

/** A network whose node is always down. */
export function evmConfig(env: Env, network: EvmNetwork = "bep20") {
  return {
    env,
    network,
    // Nothing listens on this port. Creating a link does not query a node.
    rpcUrls: ["http://127.0.0.1:9"],
    accountKey: ACCOUNT_KEYS.get(env)!,
    zmqUrl: null,
    chainId: null,
    contracts: {},
  } as const;
}
