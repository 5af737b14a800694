/** Prints docs/integrate/error-codes.md: every code of an error. `npm run -s error-codes > docs/integrate/error-codes.md` */
import { listErrorCodes } from "#lib/web/api/errors.ts";

const rows = listErrorCodes().map(
  ({ code, status, message, hint = "" }) => `| \`${code}\` | ${status} | \`${message}\` | ${hint} |`,
);

process.stdout.write(`# Error codes

Generated from \`lib/web/api/errors.ts\`. Do not edit. Run \`npm run -s error-codes > docs/integrate/error-codes.md\`.

An error of the API has a \`code\` next to its \`message\`, and its \`doc_url\` leads to the code on the page \`/v1/docs/errors\` of the
same host. A code never changes its meaning. \`{name}\` is the field or the value that is meant.
[Errors, repeats, amounts and lists](errors-and-idempotency.md) says what to do with them.

| Code | HTTP | Message | \`x-paylink-hint\` |
|---|---|---|---|
${rows.join("\n")}
`);
