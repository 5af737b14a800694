import assert from "node:assert/strict";
import { test } from "node:test";
import { ACTIONS, type Action, may, ROLES } from "#lib/domain/authority/role-rules.ts";

/** The actions of each role, written again: a changed table must be meant. An owner may do all at a merchant. */
const ALLOWED = {
  manager:
    "payments.view payments.note customers.view customers.note exports.read links.create links.cancel forms.view forms.change money.view " +
    "deposits.resolve withdrawals.create withdrawals.approve withdrawals.sign statements.read settings.view settings.change " +
    "members.view",
  developer:
    "payments.view payments.note links.create forms.view developers.view keys.change webhooks.change ips.change settings.view",
  accountant:
    "payments.view payments.note customers.view customers.note exports.read money.view statements.read",
  cashier: "payments.view payments.note customers.view customers.note links.create links.cancel",
  operator:
    "payments.view customers.view exports.read forms.view money.view deposits.resolve withdrawals.sign " +
    "withdrawals.policy statements.read " +
    "developers.view settings.view audit.view members.view members.invite members.change installation.change",
} as const;

for (const role of [...ROLES, "operator"] as const) {
  test(`${role}: may do its actions and no other`, () => {
    const all = Object.keys(ACTIONS) as Action[];
    const atMerchant = all.filter((action) => action !== "installation.change");
    const allowed: readonly string[] = role === "owner" ? atMerchant : ALLOWED[role].split(" ");
    assert.deepEqual(
      all.filter((action) => may(role, action)),
      all.filter((action) => allowed.includes(action)),
    );
    assert.deepEqual(
      allowed.filter((action) => !Object.hasOwn(ACTIONS, action)),
      [],
    );
  });
}
