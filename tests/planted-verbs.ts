/**
 * Verbs that the type check must refuse: without a row in the table, without an audit entry, with a refusal that an edge has no text
 * for. Nothing runs this file. If a planted line compiles one day, `npm run check:types` fails: the directive above it is unused then.
 */

import { perform as performInConsole } from "#app/console/session.ts";
import type { NoticeCode } from "#components/console/notices.ts";
import type { Cli } from "#lib/cli/cli.ts";
import {
  defineInstallationVerb,
  defineOwnVerb,
  defineVerb,
  done,
  refuse,
} from "#lib/domain/authority/define-verb.ts";
import { authorityOf, perform as performInApi } from "#lib/web/api/perform.ts";

const entry = { subject: "key:1", details: {} };

// @ts-expect-error the table has no such row
defineVerb("planted.verb", async () => done({}, entry));
// @ts-expect-error the table has no such row
authorityOf("planted.verb");
// @ts-expect-error another person's account has no such row
defineOwnVerb("key.create", async () => done({}, entry));

// @ts-expect-error it leaves no audit entry
defineVerb("key.create", async () => done({}, null));
// @ts-expect-error it leaves no audit entry
defineInstallationVerb("token.set", async () => done({}, null));
// @ts-expect-error it leaves no audit entry
defineOwnVerb("session.end", async () => done({}, null));
// @ts-expect-error a result without the word on an entry
defineVerb("key.create", async () => ({ ok: true, result: {} }) as const);

const planted = defineVerb("key.create", async (_act, isRefused: boolean) =>
  isRefused ? refuse("planted_reason") : done({}, isRefused ? null : entry),
);

export async function offer(
  cli: Cli,
  place: Parameters<Cli["perform"]>[2],
  call: Parameters<typeof performInApi>[1],
  request: Parameters<typeof performInConsole>[1],
): Promise<NoticeCode | null> {
  // @ts-expect-error the command has no text for the reason
  await cli.perform({ db: call.api.database.db }, planted, place, true);
  // @ts-expect-error the API has no answer for the reason
  await performInApi(planted, call, true, {});
  const outcome = await performInConsole(planted, request, true);
  // @ts-expect-error the console has no notice for the reason
  return outcome.ok ? null : outcome.reason;
}
