/** Which approvals the signer counts: only those that keys of its policy made for exactly this payout. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { approvalChallenge } from "#lib/domain/withdrawals/approve/approval-challenge.ts";
import { approvalText } from "#lib/domain/withdrawals/approve/approval-rules.ts";
import { checkApprovals, createApprover, signPayout } from "#lib/signer/approvals.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import { payoutText } from "#lib/signer/policy-rules.ts";
import type { Payout } from "#lib/signer/types.ts";
import { passkeyEntry, softwarePasskey } from "#tests/support/software-passkey.ts";

const PAYOUT: Payout = {
  ...({ env: "live", refid: "4821907735610284", network: "bep20", token: "usdt" } as const),
  ...{ merchantId: 1, amount: 15n * 10n ** 18n, to: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8" },
};
const challengeOf = (payout: Payout) => approvalChallenge({ ...payout, toAddress: payout.to });
const CHALLENGE = challengeOf(PAYOUT);

const policyOf = (from: object, needed = 1) =>
  parsePolicy(JSON.stringify({ version: 1, approvals: { needed, from }, networks: {} }), () => null);

test("a passkey in the console and a key file sign one and the same text", () => {
  const row = { ...PAYOUT, toAddress: PAYOUT.to };
  assert.equal(payoutText(PAYOUT), approvalText(row));
  assert.equal(
    approvalText(row),
    "paylink withdrawal 1\nlive\n4821907735610284\nbep20\nusdt\n15\n0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  );
});

test("only the policy's passkey counts, for this payout, at this site, with its user checked", async () => {
  const ada = softwarePasskey();
  const policy = policyOf({ ada: passkeyEntry(ada) });
  const approversBy = async (assertion: string) =>
    (await checkApprovals(policy, PAYOUT, { signatures: [], assertions: [assertion] })).approvers;
  assert.deepEqual(await approversBy(ada.answer(CHALLENGE)), ["ada"]);
  // The database has this key under the id of ada's passkey. The policy has the true one.
  const forged = softwarePasskey(ada.id);
  const others: Record<string, string> = {
    "a key that the policy does not have": softwarePasskey().answer(CHALLENGE),
    "another key under the same id": forged.answer(CHALLENGE),
    "the right key under another id": ada.answer(CHALLENGE, { id: forged.id.split("").reverse().join("") }),
    "the user was not verified": ada.answer(CHALLENGE, { isVerified: false }),
    "another site": ada.answer(CHALLENGE, { origin: "https://pay.example.evil" }),
    "the same host over http": ada.answer(CHALLENGE, { origin: "http://pay.example" }),
    "another host's passkey": ada.answer(CHALLENGE, { rpId: "evil.example" }),
    "a registration": ada.answer(CHALLENGE, { type: "webauthn.create" }),
    "another withdrawal": ada.answer(challengeOf({ ...PAYOUT, refid: "4821907735610285" })),
    "another destination": ada.answer(challengeOf({ ...PAYOUT, to: `0x${"9".repeat(40)}` })),
    "another amount": ada.answer(challengeOf({ ...PAYOUT, amount: PAYOUT.amount + 1n })),
    "another network": ada.answer(challengeOf({ ...PAYOUT, network: "erc20" })),
    "another environment": ada.answer(challengeOf({ ...PAYOUT, env: "test" })),
    "a sign-in": ada.answer(Buffer.alloc(32, 7)),
  };
  const { response, ...rest } = JSON.parse(ada.answer(CHALLENGE));
  const damaged = { ...response, signature: `AAAA${response.signature.slice(4)}` };
  others["a changed signature"] = JSON.stringify({ ...rest, response: damaged });
  for (const text of ["", "null", "{}", `{"id":"${ada.id}"}`, "[", `"${"x".repeat(30_000)}"`])
    others[text] = text;
  for (const [what, assertion] of Object.entries(others))
    assert.deepEqual(await approversBy(assertion), [], what);
});

test("a person with a key file and passkeys is one approver, however often they sign", async () => {
  const [file, phone, laptop, ben] = [
    createApprover(),
    softwarePasskey(),
    softwarePasskey(),
    softwarePasskey(),
  ];
  const ada = [file.publicKey, passkeyEntry(phone), passkeyEntry(laptop)];
  const policy = policyOf({ ada, ben: passkeyEntry(ben) }, 2);
  const signature = signPayout(PAYOUT, file.secretKey);
  const given = {
    signatures: [
      { approver: "ada", signature },
      { approver: "ben", signature },
      { approver: "eve", signature },
    ],
    assertions: [phone, laptop, phone].map((one) => one.answer(CHALLENGE)),
  };
  assert.deepEqual((await checkApprovals(policy, PAYOUT, given)).approvers, ["ada"]);
  const both = { ...given, assertions: [...given.assertions, ben.answer(CHALLENGE)] };
  assert.deepEqual((await checkApprovals(policy, PAYOUT, both)).approvers, ["ada", "ben"]);
});

test("a policy with an approver that cannot be right is refused", () => {
  const key = softwarePasskey();
  const entry = passkeyEntry(key);
  const wrong = (changes: object) => ({ ada: { passkey: { ...entry.passkey, ...changes } } });
  const cases: readonly (readonly [from: object, message: RegExp])[] = [
    [wrong({ public_key: "AAAA" }), /public_key is not a COSE public key/],
    [wrong({ origin: "https://pay.example/" }), /origin is not the address of a site on pay.example/],
    [wrong({ origin: "http://pay.example" }), /origin/],
    [wrong({ origin: "https://pay.example.evil" }), /origin/],
    [wrong({ origin: "pay.example" }), /origin/],
    [wrong({ id: "a b" }), /approvals.from.ada/],
    [wrong({ counter: 0 }), /approvals.from.ada/],
    [{ ada: [] }, /approvals.from.ada/],
    [{ ada: entry, ben: passkeyEntry({ ...key, id: "another" }) }, /one key twice/],
    [{ ada: "0".repeat(64), ben: ["0".repeat(64)] }, /one key twice/],
    [{}, /needed is 1/],
  ];
  for (const [from, message] of cases) assert.throws(() => policyOf(from), message);
  policyOf(wrong({ origin: "https://console.pay.example:8443" }));
  policyOf(wrong({ origin: "http://localhost:3000", rp_id: "localhost" }));
});
