/** The operator invites and resets people: what is printed, refused and recorded. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import { REFUSAL_TEXTS } from "#lib/cli/refusals.ts";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { findInvitation, getUser } from "#lib/domain/members/queries.ts";
import { updateUser } from "#lib/domain/members/store.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { openTestCli } from "#tests/support/run-cli.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { aPerson } from "../domain/members/a-person.ts";
import { readLastDecision } from "./decisions.ts";

const t = await databaseOfFile();
const variables = {
  DATABASE_URL: t.url,
  SECRET_KEY: "a-secret-key-of-forty-characters-for-tests",
  PUBLIC_URL: "https://pay.example.com",
  USER: "ada",
};
const cli = openTestCli(() => variables);
const shop = "shop@example.com";
const merchantId = await aMerchant(t.db, shop);

interface Invited {
  readonly email: string;
  readonly role: string;
  readonly invitation_url: string;
}
const read = (url: string) => findInvitation(t.db, url.split("/").at(-1) ?? "", new Date());

test("merchant invite prints a link that works, and the merchant sees the invitation in its audit log", async () => {
  const invited = await cli.answer<Invited>(
    `merchant invite ${shop} --person bob@example.com --role manager`,
  );
  assert.match(invited.invitation_url, /^https:\/\/pay\.example\.com\/console\/join\/[\w-]{43}$/);
  assert.deepEqual([invited.email, invited.role], ["bob@example.com", "manager"]);
  assert.equal((await read(invited.invitation_url))?.role, "manager");
  const [entry] = await t.db.select().from(auditLog).where(eq(auditLog.merchantId, merchantId));
  assert.deepEqual([entry?.actor, entry?.action], ["operator:ada", "member.invite"]);
  assert.deepEqual([entry?.details.email, entry?.details.role], ["bob@example.com", "manager"]);
  await cli.refuses({
    [`merchant invite ${shop} --person nonsense`]: REFUSAL_TEXTS.invitation_email_malformed,
    "merchant invite nobody@example.com --person bob@example.com": REFUSAL_TEXTS.merchant_not_found,
  });
});

test("an operator is invited and removed, and a person is reset: each is recorded", async () => {
  const { invitation_url: url, role } = await cli.answer<Invited>("console operator add dara@example.com");
  assert.deepEqual([role, (await read(url))?.role], ["operator", "operator"]);
  assert.equal((await readLastDecision(t.db))?.action, "console.operator-add");

  const { id, email } = await aPerson(t.db);
  await t.db.transaction((tx) => updateUser(tx, id, { isOperator: true, passwordHash: "x" }));
  const entry = { actor: "operator:ada", subject: `user:${id}`, details: { email } };
  await cli.answer(`console operator remove ${email}`);
  assert.equal((await getUser(t.db, id)).isOperator, false);
  assert.deepEqual(await readLastDecision(t.db), { ...entry, action: "console.operator-remove" });
  await cli.refuses({ [`console operator remove ${email}`]: REFUSAL_TEXTS.operator_not_found });
  const withdrawn = await cli.answer("console operator remove dara@example.com");
  const gone = { email: "dara@example.com", name: null, operator: false };
  assert.deepEqual(withdrawn, { ...gone, ended_invitations: 1 });
  assert.equal(await read(url), null);

  const reset = await cli.answer<Invited>(`console person reset ${email}`);
  assert.equal((await read(reset.invitation_url))?.isReset, true);
  assert.equal((await getUser(t.db, id)).passwordHash, null);
  assert.deepEqual(await readLastDecision(t.db), { ...entry, action: "console.person-reset" });
  await cli.refuses({ "console person reset nobody@example.com": REFUSAL_TEXTS.person_not_found });
});
