/** Prints docs/authority.md: who may do what, from the table of verbs. `npm run -s authority > docs/authority.md` */
import { may, ROLES } from "#lib/domain/authority/role-rules.ts";
import { type Authority, VERBS } from "#lib/domain/authority/verb-rules.ts";

const PEOPLE = [...ROLES, "operator"] as const;
const CHANGES = {
  environment: "live: with an IP list",
  merchant: "live alone, with an IP list",
} as const;

function rowOf([verb, authority]: [string, Authority]): string {
  const { action, proof, keys, changes } = authority;
  const people = PEOPLE.map((role) =>
    action !== null && may(role, action) ? (proof ? "proof" : "yes") : "",
  );
  const scopes = keys === null ? "" : ["full", ...keys].map((scope) => `\`${scope}\``).join(", ");
  return `| \`${verb}\` | ${[...people, scopes, changes === null ? "" : CHANGES[changes]].join(" | ")} |`;
}

/** The page, as it is committed. */
export function writeAuthority(): string {
  return `# Authority

Who may do what. \`lib/domain/authority/verb-rules.ts\` has the table, \`npm run -s authority\` prints this page from it, and
\`tests/unit/domain/authority/verbs.test.ts\` tries every verb as everybody.

- The operator may do everything with the command.
- \`proof\`: the person must have proved who they are within five minutes.
- Keys need one of these scopes, and the role of the person who made a key must allow the verb too.
- Everything that was done is in the audit log, with the merchant.

| Verb | ${PEOPLE.join(" | ")} | keys | which keys |
|---|${"---|".repeat(PEOPLE.length + 2)}
${Object.entries(VERBS).map(rowOf).join("\n")}

What is not in this table yet is checked by its page or endpoint, by the [roles](console.md#roles) and the key's scope.
`;
}

if (import.meta.main) process.stdout.write(writeAuthority());
