/** The chain of an account's transactions on the XRP Ledger. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readChangeBefore } from "#lib/chains/xrp/account-chain.ts";

/** The ledger's first account, and the key of its entry as servers show it. */
const ACCOUNT = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh";
const KEY = "2B6AC232AA4C4BE41BF49D2459FA4A0347E1B543A4C92FCEE0821C0201E2E9A8";
const BEFORE = { PreviousTxnID: "AB".repeat(32), PreviousTxnLgrSeq: 7 };

const entryWith = (...changes: readonly object[]) => ({
  meta: {
    AffectedNodes: changes.map((change) => ({ ModifiedNode: { LedgerEntryType: "AccountRoot", ...change } })),
  },
});

test("finds the change before in an entry that names no final fields, because nothing but its last change did change", () => {
  const other = { LedgerIndex: "CD".repeat(32), PreviousTxnID: "EF".repeat(32), PreviousTxnLgrSeq: 6 };
  const found = { hash: BEFORE.PreviousTxnID, ledger: 7 };
  assert.deepEqual(readChangeBefore(entryWith(other, { LedgerIndex: KEY, ...BEFORE }), ACCOUNT), found);
  const whole = { LedgerIndex: KEY, FinalFields: { Account: ACCOUNT, Balance: "1" }, ...BEFORE };
  assert.deepEqual(readChangeBefore(entryWith(other, whole), ACCOUNT), found);
  assert.equal(readChangeBefore(entryWith(other), ACCOUNT), null);
});
