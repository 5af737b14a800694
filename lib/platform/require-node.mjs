/**
 * Loaded first by `npm start` and `npm run paylink`, which can run without the development dependencies and so without
 * their Node. An older Node cannot read TypeScript and would only print a stack. It can read this file.
 */
const NEEDED = 24;
const { node } = process.versions;
if (Number.parseInt(node, 10) < NEEDED) {
  process.stderr.write(
    `Paylink needs Node ${NEEDED} or later, and this is Node ${node}. Install it, or run "npm ci", which brings it.\n`,
  );
  process.exit(1);
}
// Not a static import: an older Node would refuse it before the sentence above.
await import("./quick-start.mjs");
