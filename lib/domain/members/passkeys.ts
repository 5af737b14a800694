import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { defineOwnVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { findPasskey, listPasskeys } from "./queries.ts";
import { CHALLENGE_LIFETIME_MS, MAX_PASSKEYS } from "./rules.ts";
import { recordSignIn, renewToken } from "./sessions.ts";
import {
  deletePasskey,
  insertPasskey,
  lockSignedIn,
  lockUser,
  spendChallenge,
  updatePasskeyUse,
} from "./store.ts";
import type { Browser, PasskeyRow, SignedIn } from "./types.ts";

/** Where the console is. A passkey is bound to its host. */
export interface Site {
  /** "https://pay.example.com" */
  readonly origin: string;
}

/** The challenge that the server must remember until the browser answers. It goes to the browser, sealed. */
export interface Challenge {
  readonly challenge: string;
  readonly purpose: "register" | "sign-in";
  /** The user handle of a registration; null for a sign-in. */
  readonly handle: string | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const hostOf = ({ origin }: Site) => new URL(origin).hostname;

/** Options for `navigator.credentials.create`: a passkey on this device or a key that checks its user. */
export async function startRegistration(
  site: Site,
  person: {
    readonly handle: string;
    readonly email: string;
    readonly name: string;
    readonly known: readonly PasskeyRow[];
  },
  now: Date,
): Promise<{ options: PublicKeyCredentialCreationOptionsJSON; challenge: Challenge }> {
  const { handle, email, name, known } = person;
  const options = await generateRegistrationOptions({
    rpName: "Paylink",
    rpID: hostOf(site),
    userID: Uint8Array.from(Buffer.from(handle)),
    userName: email,
    userDisplayName: name,
    attestationType: "none",
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { options, challenge: remember(options.challenge, "register", handle, now) };
}

/** Options for `navigator.credentials.get`. They name no account: the browser offers the passkeys that it has. */
export async function startPasskeySignIn(
  site: Site,
  now: Date,
): Promise<{ options: PublicKeyCredentialRequestOptionsJSON; challenge: Challenge }> {
  const options = await generateAuthenticationOptions({ rpID: hostOf(site), userVerification: "required" });
  return { options, challenge: remember(options.challenge, "sign-in", null, now) };
}

const remember = (
  challenge: string,
  purpose: Challenge["purpose"],
  handle: string | null,
  now: Date,
): Challenge => ({
  challenge,
  purpose,
  handle,
  expiresAt: now.getTime() + CHALLENGE_LIFETIME_MS,
});

/** A new passkey that answers its challenge, ready to be stored. null for any other answer. */
export type NewPasskey = Pick<PasskeyRow, "credentialId" | "publicKey" | "counter" | "transports">;

/** Verifies the answer to startRegistration (Web Authentication, section 7.1). null if it is not right. */
export async function verifyRegistration(
  site: Site,
  given: { readonly challenge: Challenge; readonly answer: string },
  now: Date,
): Promise<NewPasskey | null> {
  const { challenge, answer } = given;
  if (challenge.purpose !== "register" || challenge.expiresAt <= now.getTime()) return null;
  const verified = await tryVerify(() =>
    verifyRegistrationResponse({
      response: JSON.parse(answer) as RegistrationResponseJSON,
      expectedChallenge: challenge.challenge,
      expectedOrigin: site.origin,
      expectedRPID: hostOf(site),
      requireUserVerification: true,
    }),
  );
  if (!verified?.verified) return null;
  const { credential } = verified.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: (credential.transports ?? []).map(String).slice(0, 10),
  };
}

/** Adds a passkey to a person's account. */
export const addPasskey = defineOwnVerb(
  "passkey.add",
  async (
    { tx, actor: { userId }, sessionId, now },
    given: { readonly name: string; readonly passkey: NewPasskey; readonly challenge: Challenge },
  ) => {
    const user = await lockSignedIn(tx, { userId, sessionId });
    if (user === null) return refuse("session_ended");
    const isTheirs = given.challenge.handle === user.handle;
    if (!isTheirs || !(await storePasskey(tx, { ...given, userId }, now))) return refuse("passkey_refused");
    return done({}, { subject: `user:${userId}`, details: { name: given.name } });
  },
);

/**
 * Stores a passkey of a locked person, in the transaction that marks its challenge as answered. False if it cannot be stored: the
 * transaction is then rolled back.
 */
export async function storePasskey(
  tx: Tx,
  given: {
    readonly userId: number;
    readonly name: string;
    readonly passkey: NewPasskey;
    readonly challenge: Challenge;
  },
  now: Date,
): Promise<boolean> {
  const { userId, name, passkey, challenge } = given;
  if (!(await spendChallenge(tx, challenge.challenge, new Date(challenge.expiresAt), now))) return false;
  if ((await listPasskeys(tx, userId)).length >= MAX_PASSKEYS) return false;
  const { transports, ...key } = passkey;
  return insertPasskey(tx, { ...key, transports: [...transports], userId, name, createdAt: now });
}

/**
 * Signs in with a passkey, or proves again who is signed in. Returns the new token of the session's cookie; null if the
 * answer is not right (Web Authentication, section 7.2), if it was used before, or if the passkey is another person's.
 */
export async function signInWithPasskey(
  db: Db,
  site: Site,
  given: {
    readonly challenge: Challenge;
    readonly answer: string;
    readonly browser: Browser;
    /** The session that is proved again; null: a new one starts. */
    readonly signedIn: SignedIn | null;
  },
  now: Date,
): Promise<string | null> {
  const { challenge, answer, browser, signedIn } = given;
  if (challenge.purpose !== "sign-in" || challenge.expiresAt <= now.getTime()) return null;
  const verified = await verifyAnswer(db, site, { answer, challenge: challenge.challenge });
  if (verified === null || (signedIn !== null && signedIn.userId !== verified.passkey.userId)) return null;
  const { passkey, counter } = verified;
  return db.transaction(async (tx) => {
    // Before the passkey's row, as removePasskey does: the other way around, both could wait for each other.
    await lockUser(tx, passkey.userId);
    const isNew = await spendChallenge(tx, challenge.challenge, new Date(challenge.expiresAt), now);
    if (!isNew || !(await updatePasskeyUse(tx, passkey, counter, now))) return null;
    if (signedIn !== null) return renewToken(tx, signedIn, now);
    return recordSignIn(tx, { userId: passkey.userId, proof: "passkey", browser }, now);
  });
}

/** Options for `navigator.credentials.get` that sign this challenge. */
export function startPasskeyProof(
  site: Site,
  challenge: Buffer,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: hostOf(site),
    userVerification: "required",
    challenge: Uint8Array.from(challenge),
  });
}

/**
 * Verifies that a passkey of this person has signed a challenge that belongs to one thing, whose own rules let it happen once.
 * `use` counts the signature in the transaction of what it allows; false if another use came first. null: it has not signed.
 */
export async function verifyPasskeyProof(
  db: Db | Tx,
  site: Site,
  given: { readonly userId: number; readonly answer: string; readonly challenge: Buffer },
): Promise<{ use(tx: Tx, now: Date): Promise<boolean> } | null> {
  const { userId, answer } = given;
  const challenge = given.challenge.toString("base64url");
  const verified = await verifyAnswer(db, site, { answer, challenge });
  if (verified === null || verified.passkey.userId !== userId) return null;
  return { use: (tx, now) => updatePasskeyUse(tx, verified.passkey, verified.counter, now) };
}

/** The known passkey that has signed a challenge (base64url), and its new counter. null if none has. */
async function verifyAnswer(
  db: Db | Tx,
  site: Site,
  { answer, challenge }: { readonly answer: string; readonly challenge: string },
): Promise<{ readonly passkey: PasskeyRow; readonly counter: number } | null> {
  const response = parseAnswer(answer);
  const passkey = response && (await findPasskey(db, response.id));
  if (response === null || passkey === null) return null;
  const verified = await tryVerify(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: hostOf(site),
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: passkey.counter,
      },
    }),
  );
  return verified?.verified ? { passkey, counter: verified.authenticationInfo.newCounter } : null;
}

/** Removes a passkey from a person's account, unless it is their only way to sign in. */
export const removePasskey = defineOwnVerb(
  "passkey.remove",
  async ({ tx, actor: { userId } }, { id }: { readonly id: number }) => {
    const user = await lockUser(tx, userId);
    const passkeys = await listPasskeys(tx, userId);
    if (!passkeys.some((passkey) => passkey.id === id)) return refuse("passkey_not_found");
    if (user.passwordHash === null && passkeys.length === 1) return refuse("passkey_last");
    const removed = await deletePasskey(tx, userId, id);
    return done({}, { subject: `user:${userId}`, details: { name: removed.name } });
  },
);

/** An id of a credential has at most 1,023 bytes (Web Authentication, section 4). */
function parseAnswer(answer: string): AuthenticationResponseJSON | null {
  try {
    const parsed = JSON.parse(answer);
    return /^[\w-]{1,1400}$/.test(parsed?.id) ? parsed : null;
  } catch {
    return null;
  }
}

/** The library throws for most wrong answers, which anyone can send. */
async function tryVerify<Verified>(verify: () => Promise<Verified>): Promise<Verified | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
