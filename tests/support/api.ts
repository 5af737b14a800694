import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { HDKey } from "@scure/bip32";
import { mnemonicToSeedSync } from "@scure/bip39";
import type { Env } from "#lib/chains/network-data.ts";
import { nodeCounters } from "#lib/chains/node-metrics.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { createPaylinkClient, type PaylinkClient } from "#lib/client/client.ts";
import { createMerchant } from "#lib/domain/merchants/create-merchant.ts";
import { openRates } from "#lib/domain/rates/open-rates.ts";
import { openSandbox } from "#lib/domain/sandbox/open-sandbox.ts";
import { openLog } from "#lib/platform/log/open-log.ts";
import { createLogoConverter } from "#lib/platform/pictures/logo-converter.ts";
import { openSecrets } from "#lib/platform/secrets.ts";
import { createApiListener, respondToClientError } from "#lib/web/api/app.ts";
import type { ApiServices } from "#lib/web/api/types.ts";
import { knowClients } from "#lib/web/know-clients.ts";
import { logRequests } from "#lib/web/log-requests.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { keepLog, keepSecrets } from "#tests/support/kept-logs.ts";
import { checkResponse } from "#tests/support/openapi-check.ts";

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
 * Starts the API on its own port with its own database: bep20 is enabled in both environments, rates are
 * fixed, and there is no node.
 */
export async function startApi(changes: Partial<ApiServices> = {}): Promise<TestApi> {
  const database = await testDatabase();
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
      const created = await database.db.transaction((tx) =>
        createMerchant(tx, { secrets }, { email, name, webhookUrl: null }, new Date()),
      );
      if (!created.ok) throw new Error(created.reason);
      keepSecrets(created.live.apiKey, created.test.apiKey);
      return { id: created.merchant.id, email, live: created.live.apiKey, test: created.test.apiKey };
    },
    client: (apiKey) => createPaylinkClient({ baseUrl: `${origin}/v1`, apiKey, fetch: fetchChecked }),
    send: (request) => send(origin, request),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await database.close();
    },
  };
}

/** Reads a response and asserts that the OpenAPI document describes it. `path`: below /v1. */
async function readChecked(method: string, path: string, response: Response) {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  const body: unknown = text === "" || !isJson ? null : JSON.parse(text);
  if (body !== null) checkResponse(method, path, response.status, body, response.headers);
  return { text, body };
}

async function fetchChecked(request: Request): Promise<Response> {
  const response = await fetch(request);
  const path = new URL(request.url).pathname.replace(/^\/v1/, "");
  await readChecked(request.method, path, response.clone());
  return response;
}

async function send(origin: string, request: TestRequest): Promise<TestResponse> {
  const { form, json, path } = request;
  const method =
    request.method ??
    (form === undefined && json === undefined && request.body === undefined ? "GET" : "POST");
  const response = await fetch(path.startsWith("//") ? origin + path.slice(1) : `${origin}/v1${path}`, {
    method,
    headers: {
      ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...request.headers,
    },
    body:
      form !== undefined
        ? typeof form === "string"
          ? form
          : new URLSearchParams(form).toString()
        : json !== undefined
          ? JSON.stringify(json)
          : (request.body ?? null),
  });
  const { text, body } = await readChecked(method, path.replace(/\?.*$/s, ""), response);
  return { status: response.status, headers: response.headers, text, body };
}

/** A network whose node is always down. */
export function evmConfig(env: Env, network: "bep20" | "erc20" | "base" = "bep20") {
  const account = HDKey.fromMasterSeed(mnemonicToSeedSync(MNEMONIC)).derive(`m/44'/60'/${ACCOUNT_OF[env]}'`);
  return {
    env,
    network,
    // Nothing listens on this port. Creating a link does not query a node.
    rpcUrls: ["http://127.0.0.1:9"],
    accountKey: account.publicExtendedKey,
    zmqUrl: null,
    chainId: null,
    contracts: {},
  } as const;
}
