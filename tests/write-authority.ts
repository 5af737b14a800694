/** Prints docs/authority.md: who may do what, from the table of verbs. `npm run -s authority > docs/authority.md` */
import { type Action, may, ROLES } from "#lib/domain/authority/role-rules.ts";
import { type Authority, VERBS } from "#lib/domain/authority/verb-rules.ts";
import type { ApiEndpoint } from "#lib/web/api/endpoint.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";

const PEOPLE = [...ROLES, "operator"] as const;
const CHANGES = {
  environment: "live: with an IP list",
  merchant: "live alone, with an IP list",
} as const;

function rowOf([verb, authority]: [string, Authority]): string {
  const { action, proof, keys, changes, payer, permission, programsAlone = false } = authority;
  const mark = proof ? "proof" : programsAlone ? "key" : "yes";
  const people = PEOPLE.map((role) => (isAllowed(role, action) && !isBarred(role, authority) ? mark : ""));
  const scopes = keys === null ? (payer === true ? "payer" : "") : namesOf(["full", ...keys]);
  const plugins = permission === undefined ? "" : permission.replace(/^btcpay\.store\./, "");
  return `| \`${verb}\` | ${[...people, scopes, changes === null ? "" : CHANGES[changes], plugins].join(" | ")} |`;
}

const isAllowed = (role: (typeof PEOPLE)[number], action: Authority["action"]) =>
  action === "own" || (action !== null && may(role, action));
const isBarred = (role: (typeof PEOPLE)[number], { programsAlone = false }: Authority) =>
  programsAlone && role === "operator";
const namesOf = (scopes: readonly string[]) => scopes.map((scope) => `\`${scope}\``).join(", ");

/** An endpoint that only reads, and the keys that may call it. */
interface Read {
  /** "GET /customers". */
  readonly name: string;
  readonly scopes: readonly string[];
  readonly action: Action;
}

/** The endpoints that need a key and only read: a GET, or a POST that keys of the scope `read` may send. */
export function listReads(): readonly Read[] {
  return ENDPOINTS.flatMap(({ method, path, verb, auth, action }: ApiEndpoint) => {
    if (auth === "public" || verb !== undefined) return [];
    if (method !== "get" && !auth.includes("read")) return [];
    return { name: `${method.toUpperCase()} ${path}`, scopes: ["full", ...auth], action };
  });
}

function readRowOf({ name, scopes, action }: Read): string {
  const makers = ROLES.map((role) => (may(role, action) ? "yes" : ""));
  return `| \`${name}\` | ${[namesOf(scopes), ...makers].join(" | ")} |`;
}

/** The page, as it is committed. */
export function writeAuthority(): string {
  return `# Authority

Who may do what. \`lib/domain/authority/verb-rules.ts\` has the table of verbs, the endpoints declare who may read, \`npm run -s authority\`
prints this page from both, and tests try every verb as everybody (\`tests/unit/domain/authority/verbs.test.ts\`) and every endpoint with
every key (\`tests/api/key-scopes.test.ts\`, \`tests/api/key-makers.test.ts\`).

## Verbs

- The operator may do everything with the command, except the rows with \`key\` and what people do with their own account: password,
  recovery codes, passkeys, sessions and saved views.
- \`proof\`: the person must have proved who they are within five minutes.
- \`key\`: programs alone do it, with a key that the operator or such a person made.
- Keys need one of these scopes, and the role of the person who made a key must allow the verb too.
- Greenfield: the permission with which the key of a [plugin](integrate/plugins.md) may, after \`btcpay.store.\`. Its webhooks go to
  the key's own origin alone, for which it needs no IP list. Such a key opens nothing of \`/v1\`.
- \`payer\`: no key, but anyone who has the secret of a refund claim.
- The signer stores the transactions of the withdrawals that it pays (\`withdrawal.sent\`, \`withdrawal.replace\`). Its
  [policy](operate/money-out.md) says which, not this table.
- Everything that was done is in the audit log, with the merchant. Buys, allocated addresses, quotes, requeries and sandbox payments are a record
  themselves ([why](adr/0030-acts.md)).

| Verb | ${PEOPLE.join(" | ")} | keys | which keys | Greenfield |
|---|${"---|".repeat(PEOPLE.length + 3)}
${Object.entries(VERBS).map(rowOf).join("\n")}

What is not in this table yet is checked by its page or endpoint, by the [roles](console.md#roles) and the key's scope.

## Reads

Endpoints that only read: the scopes that may call them, and the roles that the maker of a key may have. A key that the operator made needs
its scope alone.

| Endpoint | keys | ${ROLES.join(" | ")} |
|---|${"---|".repeat(ROLES.length + 1)}
${listReads().map(readRowOf).join("\n")}
`;
}

if (import.meta.main) process.stdout.write(writeAuthority());
