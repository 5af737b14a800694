/** Every verb but those of people's own accounts, as every actor: of this and of another merchant, in this and in the other environment. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { desc, eq } from "drizzle-orm";
import type { Env } from "#lib/chains/network-data.ts";
import { closeAttention, retryAttention } from "#lib/domain/attention/set-aside.ts";
import { upsertAttention } from "#lib/domain/attention/store.ts";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { nameActor } from "#lib/domain/authority/actor.ts";
import { hasIpList } from "#lib/domain/authority/queries.ts";
import { may, ROLES } from "#lib/domain/authority/role-rules.ts";
import {
  type Act,
  type Actor,
  type InstallationAct,
  KEY_SCOPES,
  PERMISSIONS,
  type Permission,
} from "#lib/domain/authority/types.ts";
import {
  type Authority,
  isOperator,
  type OwnVerbName,
  RECENT_MS,
  VERBS,
  type VerbName,
} from "#lib/domain/authority/verb-rules.ts";
import { archiveForm, createForm, updateForm } from "#lib/domain/forms/manage-forms.ts";
import { forms } from "#lib/domain/forms/tables.ts";
import { createKey } from "#lib/domain/merchants/create-key.ts";
import { revokeKey, rotateKey } from "#lib/domain/merchants/end-key.ts";
import { addIp, removeIp } from "#lib/domain/merchants/ip-entries.ts";
import { addDevice, revokeDevice } from "#lib/domain/pos/manage-devices.ts";
import { setNetwork, setToken } from "#lib/domain/settings/change-settings.ts";
import {
  addEndpoint,
  removeEndpoint,
  rotateEndpointSecret,
  setEventTypes,
  updateEndpoint,
} from "#lib/domain/webhooks/change-endpoints.ts";
import { redeliverEvent, redeliverEvents, retriggerEvents } from "#lib/domain/webhooks/retrigger-events.ts";
import { openEndpointToTest } from "#lib/domain/webhooks/test-endpoint.ts";
import { actOf, OPERATOR, personOf, programOf } from "#tests/support/acts.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { aPerson } from "../members/a-person.ts";
import type { Tried } from "./tried.ts";
import { TRIED_AT_MERCHANTS } from "./tried-at-merchants.ts";
import { TRIED_IN_OPERATION } from "./tried-in-operation.ts";
import { TRIED_WITH_MONEY } from "./tried-with-money.ts";
import { TRIED_WITH_NOTES } from "./tried-with-notes.ts";
import { TRIED_WITH_PEOPLE } from "./tried-with-people.ts";
import { WITHDRAWAL_VERBS } from "./withdrawal-verbs.ts";

const ASIDE = "blocks:test:bep20:1-2";
const { db } = await databaseOfFile();
const NOW = new Date("2026-11-24T12:00:00Z");
const [own, other] = [await aMerchant(db, "own@example.com"), await aMerchant(db, "other@example.com")];
/** The person of every act, and who made keys. */
const { id: userId } = await db.transaction((tx) => aPerson(tx));

const idOf = async (made: Promise<object>): Promise<number> => {
  const done = (await made) as {
    key?: { id: number };
    endpoint?: { id: number };
    id?: number;
    form?: { id: number };
    device?: { id: number };
  };
  return (done.key ?? done.endpoint ?? done.form ?? done.device ?? done).id ?? 0;
};
const aKey = (act: Act) => idOf(createKey(act, { scope: "read", expiresAt: null }));
const SECRETS = { seal: (text: string) => Buffer.from(text), open: (sealed: Buffer) => sealed.toString() };
const PERIOD = { from: NOW, to: NOW, undelivered: false, endpointId: null, after: 0 };
const anEndpoint = (act: Act) =>
  idOf(addEndpoint(act, { sealer: SECRETS, url: "https://shop.example/", eventTypes: null }));
const EVENT_HASH = `0x${"a".repeat(64)}`;
async function anEvent(act: Act): Promise<number> {
  await anEndpoint(act);
  const { tx, merchantId, env, now } = act;
  const event = {
    merchantId,
    env,
    type: "deposit_credited",
    dataJson: "{}",
    txHashes: [EVENT_HASH],
  } as const;
  return (await emitRawEvent(tx, event, now)).id;
}
const settings = { paymentUrl: "https://pay.example.com/pay" };
const aForm = (act: Act) => idOf(createForm(act, { settings, input: { title: "Shoes" } }));
async function codeOf({ tx }: Act, id: number): Promise<string> {
  const [form] = await tx.select({ code: forms.code }).from(forms).where(eq(forms.id, id));
  return form?.code ?? "";
}
async function setAside({ tx, now }: Act): Promise<number> {
  const row = { subject: ASIDE, reason: "untraced", attempts: 1, retryAt: now, height: 2 };
  await upsertAttention(tx, row, now);
  return 0;
}
const anIp = (act: Act) => idOf(addIp(act, { name: "there", address: "0.0.0.0/0" }));
const TRIED: Readonly<Record<Exclude<VerbName, OwnVerbName>, Tried>> = {
  ...TRIED_AT_MERCHANTS,
  ...TRIED_WITH_MONEY,
  ...TRIED_IN_OPERATION,
  ...TRIED_WITH_PEOPLE,
  ...TRIED_WITH_NOTES,
  "key.create": { attempt: (act) => createKey(act, { scope: "read", expiresAt: null }) },
  "key.revoke": {
    attempt: (act, id) => revokeKey(act, { id, at: null }),
    prepare: aKey,
    notFound: "key_not_found",
  },
  "key.rotate": {
    attempt: (act, id) => rotateKey(act, { id, oldUntil: NOW, expiresAt: null }),
    prepare: aKey,
    notFound: "key_not_found",
  },
  "ip.add": { attempt: (act) => addIp(act, { name: "here", address: "192.0.2.0/24" }) },
  "webhook.endpoint.add": {
    attempt: (act) => addEndpoint(act, { sealer: SECRETS, url: "https://shop.example/", eventTypes: null }),
  },
  "webhook.endpoint.update": {
    attempt: (act, id) => updateEndpoint(act, { id, enabled: false }),
    prepare: anEndpoint,
    notFound: "endpoint_not_found",
  },
  "webhook.endpoint.remove": {
    attempt: (act, id) => removeEndpoint(act, { id }),
    prepare: anEndpoint,
    notFound: "endpoint_not_found",
  },
  "webhook.endpoint.rotate": {
    attempt: (act, id) => rotateEndpointSecret(act, { id, sealer: SECRETS }),
    prepare: anEndpoint,
    notFound: "endpoint_not_found",
  },
  "webhook.test": {
    attempt: (act, id) => openEndpointToTest(act, { id, secrets: SECRETS }),
    prepare: anEndpoint,
    notFound: "endpoint_not_found",
  },
  "webhook.events": {
    attempt: (act) => setEventTypes(act, { eventTypes: null }),
    prepare: anEndpoint,
  },
  "webhook.redeliver": {
    attempt: (act, id) => redeliverEvent(act, { id }),
    prepare: anEvent,
    notFound: "webhook_event_not_found",
  },
  "webhook.retrigger": {
    attempt: (act) => retriggerEvents(act, { txHash: EVENT_HASH }),
    prepare: anEvent,
    notFound: "webhook_events_not_found",
  },
  "webhook.redeliver-range": { attempt: (act) => redeliverEvents(act, PERIOD) },
  "form.create": { attempt: (act) => createForm(act, { settings, input: { title: "Shoes" } }) },
  "form.update": {
    attempt: async (act, id) =>
      updateForm(act, { settings, code: await codeOf(act, id), changes: { title: "Hats" } }),
    prepare: aForm,
    notFound: "form_not_found",
  },
  "form.archive": {
    attempt: async (act, id) => archiveForm(act, { settings, code: await codeOf(act, id) }),
    prepare: aForm,
    notFound: "form_not_found",
  },
  "pos.add": {
    attempt: async (act, id) => addDevice(act, { formCode: await codeOf(act, id), name: "Counter" }),
    prepare: aForm,
    notFound: "form_not_found",
  },
  "pos.revoke": {
    attempt: (act, id) => revokeDevice(act, { id }),
    prepare: async (act) =>
      idOf(addDevice(act, { formCode: await codeOf(act, await aForm(act)), name: "Counter" })),
    notFound: "device_not_found",
  },
  ...WITHDRAWAL_VERBS,
  "network.set": {
    attempt: (act) => setNetwork(act, { env: "test", network: "bep20", changes: { send: false } }),
    isOfInstallation: true,
  },
  "token.set": {
    attempt: (act) => setToken(act, { env: "test", token: "usdt", changes: { send: false } }),
    isOfInstallation: true,
  },
  "attention.retry": {
    attempt: (act) => retryAttention(act, { subject: ASIDE }),
    prepare: setAside,
    isOfInstallation: true,
  },
  "attention.close": {
    attempt: (act) => closeAttention(act, { subject: ASIDE }),
    prepare: setAside,
    isOfInstallation: true,
  },
  "ip.remove": { attempt: (act, id) => removeIp(act, { id }), prepare: anIp, notFound: "entry_not_found" },
};
const greenfieldOf = (permissions: readonly Permission[], origin: string | null) =>
  programOf(1, { scope: "greenfield", grant: { permissions, origin } });

const ACTORS: readonly Actor[] = [
  OPERATOR,
  ...[...ROLES, "operator" as const].flatMap((role) => [
    personOf(userId, role, NOW),
    personOf(userId, role, new Date(NOW.getTime() - RECENT_MS)),
  ]),
  ...KEY_SCOPES.map((scope) => programOf(1, { scope })),
  ...ROLES.map((makerRole) => programOf(1, { madeBy: userId, makerRole })),
  // Keys of plugins: with every permission, at an origin and without one; with one permission; of a person without the role.
  greenfieldOf(PERMISSIONS, "https://shop.example"),
  greenfieldOf(PERMISSIONS, null),
  greenfieldOf(["btcpay.store.cancreateinvoice"], "https://shop.example"),
  { ...greenfieldOf(PERMISSIONS, "https://shop.example"), madeBy: userId, makerRole: "cashier" },
  // The maker of the key has left.
  programOf(1, { madeBy: userId }),
  { kind: "payer", claimId: 1 },
  { kind: "signer" },
];

const PLACES = [
  { env: "live", isListed: true },
  { env: "live", isListed: false },
  { env: "test", isListed: true },
  { env: "test", isListed: false },
] as const;

/** Returns whether the table allows a verb to an actor. */
function isAllowed(
  verb: VerbName,
  actor: Actor,
  { env, isListed }: { env: Env; isListed: boolean },
): boolean {
  const authority: Authority = VERBS[verb];
  const { action, proof, keys, changes, payer, permission, bound, programsAlone = false } = authority;
  if (programsAlone && actor.kind !== "key") return false;
  if (actor.kind === "operator") return true;
  if (actor.kind === "payer") return payer === true;
  if (actor.kind === "signer") return false;
  if (action === null || action === "own") return false;
  if (actor.kind === "person") {
    const isProved = !proof || actor.verifiedAt.getTime() === NOW.getTime();
    return actor.role !== null && may(actor.role, action) && isProved;
  }
  const { scope, grant = null } = actor;
  const isInScope =
    scope === "greenfield"
      ? permission !== undefined && grant?.permissions.includes(permission) === true
      : keys !== null && (scope === "full" || keys.includes(scope));
  const { madeBy, makerRole } = actor;
  const isRoleEnough = madeBy === null || (makerRole !== null && may(makerRole, action));
  const isBound = bound === "origin" && grant?.origin != null;
  const isChangeAllowed =
    changes === null ||
    (env === "live" ? isListed || (grant !== null && isBound) : changes === "environment");
  return isInScope && isRoleEnough && isChangeAllowed;
}

const merchantOf = (answer: { readonly merchant?: { readonly id: number } }) => answer.merchant;

/** IP lists and people are of both environments. */
const OF_BOTH_ENVIRONMENTS = /^(?:ip|member)\./;

class Undone extends Error {}

/** The answer to an actor, and the newest audit entry after it. */
interface Answered {
  readonly actor: Actor;
  readonly answer: Readonly<Record<string, unknown>>;
  readonly entry: typeof auditLog.$inferSelect | undefined;
}

/** Tries a verb as each actor on the same rows. Each attempt is undone, and all at the end. */
async function tryVerb(
  verb: keyof typeof TRIED,
  actors: readonly Actor[],
  place: { env: Env; isListed: boolean; of?: { merchantId: number; env: Env } },
): Promise<readonly Answered[]> {
  const { attempt, prepare, isOfInstallation = false } = TRIED[verb];
  const answers: Answered[] = [];
  const work = db.transaction(async (tx) => {
    if (place.isListed) await anIp(actOf(tx, own, { env: place.env, now: NOW }));
    const { merchantId, env } = place.of ?? { merchantId: own, env: place.env };
    const id = (await prepare?.(actOf(tx, merchantId, { env, now: NOW }))) ?? 0;
    assert.equal(await hasIpList(tx, own), place.isListed || (verb === "ip.remove" && merchantId === own));
    for (const actor of actors) {
      const one = tx.transaction(async (inner) => {
        const here: InstallationAct = { tx: inner, now: NOW, actor };
        const act = isOfInstallation ? (here as Act) : actOf(inner, own, { actor, env: place.env, now: NOW });
        const answer = { ...(await attempt(act, id)) };
        const [entry] = await inner.select().from(auditLog).orderBy(desc(auditLog.id)).limit(1);
        answers.push({ actor, answer, entry });
        throw new Undone();
      });
      await assert.rejects(one, Undone);
    }
    throw new Undone();
  });
  await assert.rejects(work, Undone);
  return answers;
}

for (const verb of Object.keys(TRIED) as (keyof typeof TRIED)[]) {
  const { isOfInstallation = false, keepsOwnRecord = false } = TRIED[verb];
  test(`${verb}: every actor may what the table says, and it is recorded with the merchant`, async () => {
    for (const [i, place] of PLACES.entries()) {
      // For people the environment and the IP list make no difference.
      const actors = ACTORS.filter(({ kind }) => kind === "key" || i === 0);
      for (const { actor, answer, entry } of await tryVerb(verb, actors, place)) {
        const isListed = place.isListed || verb === "ip.remove";
        const expected = isAllowed(verb, actor, { env: place.env, isListed });
        assert.equal(answer.barred === undefined, expected, inspect({ actor, place, answer }));
        if (keepsOwnRecord) assert.notEqual(entry?.action, verb);
        else if (answer.ok === true)
          assert.deepEqual(
            [entry?.action, entry?.actor, entry?.merchantId],
            [verb, nameActor(actor), isOfInstallation ? (merchantOf(answer)?.id ?? null) : own],
          );
      }
    }
  });

  const { notFound, reachesEveryMerchant = false } = TRIED[verb];
  if (notFound !== undefined)
    test(`${verb}: what another merchant has, or the other environment, does not exist`, async () => {
      const elsewhere = [
        { merchantId: other, env: "live" },
        { merchantId: own, env: "test" },
      ] as const;
      const place = { env: "live", isListed: true } as const;
      const actors = ACTORS.filter((actor) => isAllowed(verb, actor, place));
      for (const of of OF_BOTH_ENVIRONMENTS.test(verb) ? elsewhere.slice(0, 1) : elsewhere)
        for (const { actor, answer } of await tryVerb(verb, actors, { ...place, of })) {
          const isReached = reachesEveryMerchant && isOperator(actor) && of.env === place.env;
          assert.equal(answer.reason === notFound, !isReached, inspect({ actor, of, answer }));
          assert.equal(answer.ok, isReached);
        }
    });
}
