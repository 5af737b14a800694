import { refresh } from "next/cache";
import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import type { NoticeCode } from "#components/console/notices.ts";
import type { OnceAnswer } from "#components/console/once-form.tsx";
import { ENVS, type Env } from "#lib/chains/network-data.ts";
import type { Barred, InstallationVerb, OwnVerb, Refusal, Verb } from "#lib/domain/authority/define-verb.ts";
import { performVerb } from "#lib/domain/authority/perform-verb.ts";
import { type Action, may } from "#lib/domain/authority/role-rules.ts";
import type { Act, InstallationAct } from "#lib/domain/authority/types.ts";
import { findObstacle, isRecent, type VerbName } from "#lib/domain/authority/verb-rules.ts";
import type { Challenge, Site } from "#lib/domain/members/passkeys.ts";
import { findWorkplace } from "#lib/domain/members/queries.ts";
import { CHALLENGE_LIFETIME_MS, SESSION_LIFETIME_MS } from "#lib/domain/members/rules.ts";
import { findSignedIn } from "#lib/domain/members/sessions.ts";
import type { Browser, SignedIn, Workplace } from "#lib/domain/members/types.ts";
import { inTransaction } from "#lib/platform/db/in-transaction.ts";
import { consoleCookieName } from "#lib/web/console-session.ts";
import { getServices } from "#lib/web/services.ts";

const SIGN_IN = "/console/sign-in";
/** Longer than any page of the console with its filters, and than the request of a plugin for a key. */
const MAX_BACK = 4_000;

/** Where passkeys belong. */
export function consoleSite(): Site {
  const { consoleUrl } = getServices().config;
  if (consoleUrl === null) notFound();
  return { origin: new URL(consoleUrl).origin };
}

/**
 * The headers of a request to a path of the console, which the listener marks. Next runs an action whatever the path is that
 * it is posted to: elsewhere, or with the console off, there is no such page.
 */
async function readConsoleHeaders() {
  const head = await headers();
  if (head.get("x-paylink-console") === null) notFound();
  return head;
}

type CookieName = Parameters<typeof consoleCookieName>[0];

const cookieName = (name: CookieName) => consoleCookieName(name, consoleSite().origin);

/** Keeps a text in the browser where no script can read it. Without a lifetime it goes at once. */
export async function keepCookie(name: CookieName, value: string, lifetimeMs: number): Promise<void> {
  (await cookies()).set(cookieName(name), value, {
    httpOnly: true,
    secure: consoleSite().origin.startsWith("https:"),
    sameSite: "lax",
    path: "/",
    maxAge: lifetimeMs / 1_000,
  });
}

/** The text that this browser keeps. "" if it keeps nothing. */
export async function readCookie(name: CookieName): Promise<string> {
  return (await cookies()).get(cookieName(name))?.value ?? "";
}

/** Keeps the token of a session. */
export const keepSession = (token: string) => keepCookie("session", token, SESSION_LIFETIME_MS);

export const forgetSession = () => keepCookie("session", "", 0);

/** Keeps a challenge in the browser, encrypted: nothing is stored for visitors who never answer. */
export async function keepChallenge(challenge: Challenge): Promise<void> {
  const sealed = getServices().secrets.seal(JSON.stringify(challenge)).toString("base64url");
  await keepCookie("challenge", sealed, CHALLENGE_LIFETIME_MS);
}

/** The challenge that this browser was given. null if it has none, or one that this installation did not give. */
export async function readChallenge(): Promise<Challenge | null> {
  const sealed = await readCookie("challenge");
  try {
    return JSON.parse(getServices().secrets.open(Buffer.from(sealed, "base64url")));
  } catch {
    return null;
  }
}

/** The person who is signed in in this browser. Cached per request. */
export const readSignedIn = cache(async (): Promise<SignedIn | null> => {
  await readConsoleHeaders();
  return findSignedIn(getServices().database.db, await readCookie("session"), new Date());
});

/** The person who is signed in. Everyone else is asked to sign in, and comes back to the page then. */
export async function requireSignedIn(): Promise<SignedIn> {
  return (await readSignedIn()) ?? redirect(signInPath(await readPath()));
}

/** The path and query of this request, as the listener passes it. */
export async function readPath(): Promise<string> {
  const [path = "", query = ""] = ((await headers()).get("x-paylink-console") ?? "").split("?");
  const asked = new URLSearchParams(query);
  // Next's own scripts add it.
  asked.delete("_rsc");
  return asked.size === 0 ? path : `${path}?${asked}`;
}

/** Where people sign in. `back` is a path of the console, to which they come back. */
export function signInPath(back: string, more: Readonly<Record<string, string>> = {}): string {
  const known = readBackPath(back);
  const query = new URLSearchParams({ ...(known !== "/console" && { back: known }), ...more });
  return query.size === 0 ? SIGN_IN : `${SIGN_IN}?${query}`;
}

/** A merchant's console in an environment, and who has it open. */
export interface Desk {
  readonly signedIn: SignedIn;
  readonly workplace: Workplace;
  readonly env: Env;
  /** Path of its pages, "/console/m/…/test". */
  readonly base: string;
  /** The path of this page below `base`, without a slash before it. */
  readonly page: string;
}

/** The console of a URL, if the person may do this there. For everyone else there is no such page. */
export async function requireDesk(
  { merchant, env: given }: { readonly merchant: string; readonly env: string },
  action: Action,
): Promise<Desk> {
  const signedIn = await requireSignedIn();
  const workplace = await findWorkplace(getServices().database.db, signedIn, merchant);
  const env = ENVS.find((one) => one === given);
  if (workplace === null || env === undefined || !may(workplace.role, action)) notFound();
  const base = `/console/m/${merchant}/${env}`;
  const [path = ""] = (await readPath()).split("?");
  return {
    signedIn,
    workplace,
    env,
    base,
    page: path.startsWith(`${base}/`) ? path.slice(base.length + 1) : "",
  };
}

/** The request of a person in a merchant's console. */
export interface Request {
  readonly act: Omit<Act, "tx">;
  /** The path of the page that asks for it. */
  readonly page: string;
}

/** A request from a page of a merchant. */
interface DeskRequest extends Request {
  /** The merchant's time zone. */
  readonly timeZone: string;
  /** Path of the merchant's pages, "/console/m/…/test". */
  readonly base: string;
}

/** The request of a posted form. For everyone who does not work for its merchant there is no such page. */
export async function readRequest(read: (name: string) => string, pageBelow: string): Promise<DeskRequest> {
  const signedIn = await requireSignedIn();
  const [merchant, given] = [read("merchant"), read("env")];
  const workplace = await findWorkplace(getServices().database.db, signedIn, merchant);
  const env = ENVS.find((one) => one === given);
  if (workplace === null || env === undefined) notFound();
  const { userId, verifiedAt } = signedIn;
  const { merchantId, role, timeZone } = workplace;
  const actor = { kind: "person", userId, role, verifiedAt } as const;
  const base = `/console/m/${merchant}/${env}`;
  return { act: { actor, merchantId, env, now: new Date() }, base, page: `${base}/${pageBelow}`, timeZone };
}

/**
 * Lets people prepare a verb who may do it. A person who must prove their identity again is asked to do so. For people who may not do
 * it, there is no such page.
 */
export function requireMay(verb: VerbName, { act, page }: Request): void {
  const { actor, env, now } = act;
  const barred = findObstacle(verb, actor, { env, hasIpList: false, now });
  if (barred !== null) turnAway({ ok: false, barred }, page);
}

/**
 * Does a verb for a person. A person who must prove their identity again is asked to do so. For people who may not do it, there is no
 * such page.
 */
export async function perform<Input, Result, Reason extends string>(
  verb: Verb<Input, Result, Reason>,
  { act, page }: Request,
  input: Input,
): Promise<Outcome<Result, Reason>> {
  const outcome = await performVerb(getServices().database, verb, act, input);
  return "barred" in outcome ? turnAway(outcome, page) : outcome;
}

/** The same for a verb that changes the installation. `page` asks for it. */
export function performHere<Input, Result, Reason extends string>(
  verb: InstallationVerb<Input, Result, Reason>,
  page: string,
  input: Input,
): Promise<Outcome<Result, Reason>> {
  return actHere(page, (act) => verb(act, input));
}

/** Does several verbs for an operator in one transaction: all of them, or none if one is refused. */
export async function actHere<Result, Reason extends string>(
  page: string,
  work: (act: InstallationAct) => Promise<Outcome<Result, Reason> | Barred>,
): Promise<Outcome<Result, Reason>> {
  const act = actOfOperator(await requireOperator());
  const outcome = await inTransaction(getServices().database.db, (tx) => work({ ...act, tx }));
  return "barred" in outcome ? turnAway(outcome, page) : outcome;
}

/** Does a verb for a person who changes their own account. People whose session has ended sign in again. */
export async function performOwn<Input, Result, Reason extends string>(
  verb: OwnVerb<Input, Result, Reason>,
  page: string,
  input: Input,
): Promise<Outcome<Result, Exclude<Reason, "session_ended">>> {
  const { userId, sessionId, verifiedAt } = await requireSignedIn();
  const actor = { kind: "person", userId, role: null, verifiedAt } as const;
  const now = new Date();
  const outcome = await inTransaction(getServices().database.db, (tx) =>
    verb({ tx, now, actor, sessionId }, input),
  );
  if ("barred" in outcome) return turnAway(outcome, page);
  if (!outcome.ok && outcome.reason === "session_ended") redirect(signInPath(page));
  return outcome as Outcome<Result, Exclude<Reason, "session_ended">>;
}

type Outcome<Result, Reason extends string> = ({ readonly ok: true } & Result) | Refusal<Reason>;

/** Turns a person away whom a verb bars: to prove again who they are, or because for them there is no such page. */
export const turnAway = ({ barred }: Barred, page: string): never =>
  barred === "proof_needed" ? redirect(confirmPath(page)) : notFound();

/** Ends an action at a page, with a notice if it was refused, or that it was done. */
export function endAt(page: string, outcome: Outcome<unknown, NoticeCode>, whenDone?: NoticeCode): never {
  const notice = outcome.ok ? whenDone : outcome.reason;
  redirect(notice === undefined ? page : `${page}?notice=${notice}`);
}

/** A text that is shown once, on a page that lists the new thing from now on. */
export function showOnce(text: string): OnceAnswer {
  refresh();
  return { text };
}

/** The request of the operator at a merchant. `page` asks for it. */
export async function requestOfOperator(
  place: { readonly merchantId: number; readonly env: Env },
  page: string,
): Promise<Request> {
  return { act: { ...actOfOperator(await requireOperator()), ...place }, page };
}

function actOfOperator({ userId, verifiedAt }: SignedIn) {
  const actor = { kind: "person", userId, role: "operator", verifiedAt } as const;
  return { actor, now: new Date() };
}

/** The person who is signed in, if they run this installation. For everyone else there is no such page. */
export async function requireOperator(): Promise<SignedIn> {
  const signedIn = await requireSignedIn();
  if (!signedIn.isOperator) notFound();
  return signedIn;
}

/** The environment of a URL, or where it names none the one to begin with: live, unless networks are on in test alone. */
export function readEnv(given: string | string[] | undefined): Env {
  const { networks } = getServices();
  const isTestAlone = networks.list("live").length === 0 && networks.list("test").length > 0;
  return ENVS.find((one) => one === given) ?? (isTestAlone ? "test" : "live");
}

/** Where people prove again who they are. `back` is a path of the console. */
export const confirmPath = (back: string): string => `/console/confirm?${new URLSearchParams({ back })}`;

/** Asks people to prove again who they are, unless they did within five minutes. `back` is a path of the console. */
export function requireRecent(signedIn: SignedIn, back: string): void {
  if (!isRecent(signedIn, new Date())) redirect(confirmPath(back));
}

/** A path of the console to return to, with its query. Any other text leads to its first page. */
export function readBackPath(given: string): string {
  return given.length <= MAX_BACK && /^\/console\/[\w/-]*(?:\?[\w=&%.+*-]*)?$/.test(given)
    ? given
    : "/console";
}

/** The browser of this request. */
export async function readBrowser(): Promise<Browser> {
  const head = await readConsoleHeaders();
  return {
    ip: head.get("x-paylink-client-address") ?? "",
    userAgent: (head.get("user-agent") ?? "").replace(/\p{Cc}/gu, " "),
  };
}

/** Encrypts what waits in a mail. null: no mail is sent. */
export function getMailSealer() {
  const { config, secrets } = getServices();
  return config.mail === null ? null : secrets;
}

/** Reads the texts of a posted form. Absent fields and files are "". */
export function fieldsOf(posted: FormData): (name: string) => string {
  return (name) => {
    const value = posted.get(name);
    return typeof value === "string" ? value : "";
  };
}
