/**
 * Prints docs/operate/settings.md, every variable, from their tables: `npm run -s settings > docs/operate/settings.md`. With
 * --example it prints .env.example, the variables that everybody decides.
 */
import {
  listParts,
  NETWORK_VARIABLES,
  type NetworkVariable,
  PLACES,
  variableName,
} from "#lib/server/variables/network-variables.ts";
import { PROGRAM_SECTIONS, PROGRAM_VARIABLES } from "#lib/server/variables/program-variables.ts";
import { SURROUNDING_VARIABLES } from "#lib/server/variables/surrounding-variables.ts";
import type { Variable } from "#lib/server/variables/variable.ts";

type Row = Omit<Variable, "schema">;

/** The network whose variables .env.example names. */
const EXAMPLE = { env: "live", network: "bep20" } as const;

const code = (text: string) => `\`${text}\``;

function cells({ default: text, otherwise, secret, readers, text: meaning }: Row): string {
  const absent = text === undefined ? (otherwise ?? "") : code(text);
  return [absent, secret ? "secret" : "", readers.join(", "), meaning].join(" | ");
}

function table(variables: Readonly<Record<string, Row>>): string {
  const rows = Object.entries(variables).map(([name, row]) => `| ${code(name)} | ${cells(row)} |`);
  return ["| Variable | Default | Secret | Read by | Meaning |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** The networks that have a variable, and whether only their test environment has it. */
function describePlaces(part: string): string {
  const places = PLACES.filter((place) => listParts(place).includes(part));
  const networks = [...new Set(places.map(({ network }) => network))];
  const isOfAll = networks.length === new Set(PLACES.map(({ network }) => network)).size;
  const isOfTest = places.every(({ env }) => env === "test");
  return `${isOfAll ? "all" : networks.join(", ")}${isOfTest ? "; `TEST_` only" : ""}`;
}

function networkTable(): string {
  const rows = Object.entries<NetworkVariable>(NETWORK_VARIABLES).map(
    ([part, row]) => `| ${code(`…_${part}`)} | ${describePlaces(part)} | ${cells(row)} |`,
  );
  return [
    "| Variable | Networks | Default | Secret | Read by | Meaning |",
    "|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** The page, as it is committed. */
export function writeSettings(): string {
  const sections = Object.entries(PROGRAM_SECTIONS).map(([title, rows]) => `## ${title}\n\n${table(rows)}\n`);
  return `# Settings: every variable of the environment

\`npm run -s settings\` prints this page from the tables in \`lib/server/variables/\`, which also parse the variables.
What the operator changes while Paylink runs is in [switches](switches.md).

- \`npm start\`, \`npm run dev\` and \`npm run paylink\` read \`.env\` if the file exists. The environment wins over it.
- An empty variable is absent. A value with \`#\`, a backslash or quotes goes into single quotes.
- At start all wrong variables are reported at once, each with what it must be, and never with its value.
- Unknown variables: a name like those of networks (\`LIVE_…\`, \`TEST_…\`) stops the start. A name that is almost one of these, and any
  unknown name in \`.env\`, is logged: \`variables have no effect and may be misspelled\`.
- "Read by": the roles \`web\` and \`worker\` of \`npm start\`, the operator's \`command\`, the \`signer\`, and \`npm run demo\`.
- "secret": the value is a secret, or it can hold one. Keep it in files that only the program's user may read.

${sections.join("\n")}
## Networks

A network is on in an environment (\`LIVE_\`: real money, \`TEST_\`: sandbox) when its node and its account key are set. Solana has no
account key: its addresses are [imported](wallets.md#solana-import-addresses).
The names begin with environment and network: \`${variableName(EXAMPLE, "RPC_URL")}\`.

${networkTable()}

## Outside the server

These are read by the demo, [compose.yaml](../../compose.yaml), tests, and the commands for developers.

${table(SURROUNDING_VARIABLES)}
`;
}

/** .env.example: what everybody decides. */
export function writeExample(): string {
  const rows: [string, Row][] = [
    ...Object.entries<Row>(PROGRAM_VARIABLES),
    ...Object.entries<Row>(NETWORK_VARIABLES).map(([part, row]): [string, Row] => [
      variableName(EXAMPLE, part),
      row,
    ]),
  ];
  const lines = rows.flatMap(([name, { decide }]) =>
    decide === undefined ? [] : [...(decide === "" ? [] : [`# ${decide}`]), `${name}=`],
  );
  return `# What everybody decides, and what npm run -s paylink -- setup asks for. Every other variable and network: docs/operate/settings.md\n${lines.join("\n")}\n`;
}

if (import.meta.main)
  process.stdout.write(process.argv.includes("--example") ? writeExample() : writeSettings());
