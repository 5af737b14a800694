import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Stack } from "./stack.ts";

const MANIFEST = join(import.meta.dirname, "../../.next/server/server-reference-manifest.json");

export type Fields = Readonly<Record<string, string | Blob>>;

/** A server action of the pages, and the file below the project's folder that has it. */
export interface ServerAction {
  readonly id: string;
  readonly name: string;
  readonly file: string;
}

/** All of them, as the program's build has them. Anyone who has the build knows the ids. */
export function listServerActions(): ServerAction[] {
  const { node } = JSON.parse(readFileSync(MANIFEST, "utf8")) as {
    node: Record<string, { exportedName: string; filename: string }>;
  };
  return Object.entries(node).map(([id, { exportedName, filename }]) => ({
    id,
    name: exportedName,
    file: filename,
  }));
}

/** Their ids by name. */
export const actionIds = (): Readonly<Record<string, string>> =>
  Object.fromEntries(listServerActions().map(({ id, name }) => [name, id]));

/** An attacker who posts to pages what no browser would send. */
export interface Stranger {
  /** The client address that the trusted proxy reports. It begins with one that nobody else has. */
  address: string;
  /** Ids of server actions by name. */
  readonly actions: Readonly<Record<string, string>>;
  /** A server inside our network. No attacker may make our server send requests to it. */
  readonly insideUrl: string;
  post(
    path: string,
    body: RequestInit["body"],
    headers?: Record<string, string>,
  ): Promise<{ status: number; location: string | null; text: string }>;
  /** Asserts that `work` changes nothing, makes our server send no request, and leaves it responding. */
  harmless(work: () => Promise<void>): Promise<void>;
  close(): void;
}

let addresses = 0;
/** A client address that no test has had: limits count each address for minutes. */
export function newAddress(): string {
  addresses += 1;
  return `198.18.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`;
}

export async function aStranger(stack: Stack): Promise<Stranger> {
  let asked = 0;
  const inside = createServer((_request, response) => {
    asked += 1;
    response.end("answer from inside");
  });
  await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
  const origin = new URL(stack.pageUrl).origin;
  const stranger: Stranger = {
    address: newAddress(),
    actions: actionIds(),
    insideUrl: `http://127.0.0.1:${(inside.address() as AddressInfo).port}`,
    async post(path, body, headers = {}) {
      const response = await fetch(`${origin}${path}`, {
        method: "POST",
        redirect: "manual",
        body: body ?? null,
        headers: { "x-forwarded-for": stranger.address, ...headers },
      });
      return {
        status: response.status,
        location: response.headers.get("location"),
        text: await response.text(),
      };
    },
    async harmless(work) {
      const earlier = [await everything(stack), asked];
      await work();
      assert.deepEqual([await everything(stack), asked], earlier);
      assert.equal((await fetch(new URL("/icon.svg", origin))).status, 200);
    },
    close: () => inside.close(),
  };
  return stranger;
}

/** Everything that a visitor could change. Links of former tests may still expire or be confirmed. */
async function everything({ db, merchantId }: Stack): Promise<unknown> {
  const { rows } = await db.database.pool.query(
    `select (select count(*) from addresses) as addresses, (select count(*) from payment_link_wallets) as wallets,
      (select count(*) from payment_links) as all_links,
      (select string_agg(refid || ':' || version || ':' || state, ',' order by refid) from payment_links
        where merchant_id = $1) as links,
      (select count(*) from webhook_events where merchant_id = $1) as events`,
    [merchantId],
  );
  return rows[0];
}

/** Posts the page's form as a browser without scripts does. With `action` null, the form names no action. */
export function plainForm(fields: Fields, action: string | null): FormData {
  const data = new FormData();
  if (action !== null) data.set(`$ACTION_ID_${action}`, "");
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

/** Posts as the page's script does, with the action in a header. */
export function scriptedForm(fields: Fields, args = '["$K1"]'): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(`_1_${name}`, value);
  data.set("0", args);
  return data;
}
