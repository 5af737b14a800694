/**
 * Counts words that docs/glossary.md replaces, in code, comments, tests and docs. `npm run check:words` fails for one.
 * Names in camelCase and snake_case are split into words first. `--all` prints every match, a folder limits the search.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";

/** A word that is not used, and what to write instead. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\bstands\b|\bstand (at|for|there|open)\b/, "is, is at"],
  [/\bstanding\b/, "status"],
  [/\b(told|tells|tell of|untold)\b/, "notified, reports, inconclusive"],
  [/(?<!there )\b(is|are) none\b/, "is not (a)"],
  [/\b(nobody'?s|of ours|whoever)\b/, "unassigned, our, anyone who"],
  [/\banew\b/, "again"],
  [/\bbeside\b/, "next to, in addition to"],
  [/\b(to|can|cannot|could|could not) be had\b/, "available, unavailable"],
  [/\b(go|goes|going|went) on\b/, "continues"],
  [/\b(take|takes|taken|took|taking) back\b/, "reverts, reorganizes away"],
  [/\b(hand|hands|handed|handing|give|gives|given|gave) out\b/, "allocate"],
  [/\bnamed transactions?\b/, "submitted transaction"],
  [/\b(sighting|sightings|sight|unseen)\b/, "observation, watch status, unwatched"],
  [/\bjudge(s|d|ment)?\b|\bjudging\b|\bverdicts?\b/, "evaluate, decision"],
  [/\bpaid otherwise\b/, "amount mismatch"],
  [/\bopenings\b/, "availability"],
  [/\bfaces?\b/, "branding"],
  [/\bmoments?\b/, "timestamp, time"],
  [/\bdoorkeepers?\b|\bdoors?\b/, "admission, limits"],
  [/\blook-ups?\b|\blook ups\b/, "lookup"],
  [/\bbring-in\b|\btake-out\b/, "ledger add-funds, ledger take-profit"],
  [/\bthe desk\b/, "the trading desk"],
  [/\bmade good\b|\bmakes good\b/, "refunded"],
  [/\bmend(s|ed|ing)?\b/, "fix, repair"],
  [
    /\b\w*(behaviour|colour|favour|honour|neighbour|labelled|cancelled|cancelling|licence|misspelt|per cent)\w*/,
    "American spelling",
  ],
  [
    /\b\w*(author|capital|final|initial|maxim|minim|normal|optim|organ|recogn|serial|synchron)is(e|ed|es|ing|ation|ations)\b/,
    "American spelling",
  ],
];

/** A comment that begins without a noun as its subject. */
const FRAGMENT = /(?:\/\/|\/\*\*|^\s*\*) (What|Of|Those|One that|None of|Whoever|Who) /;

/** Texts that are fixed or mean something else. They are removed from a line before it is checked. */
const ALLOWED: readonly RegExp[] = [
  /\b(font|type)-?face\b/gi,
  /\bsurfaces?\b/gi,
  /\baria-labelledby\b/gi,
  /["`|]reorganised["`,]|\breorganised: |\bor reorganised\b/g, // a scenario of the sandbox
];

/** Generated files, the contract, and the files that name the replaced words. */
const EXCLUDED =
  /^(docs\/(service-interface|glossary)\.md|tests\/check-words\.ts|packages\/client\/src\/(schema|decimals)\.ts|.*\/migrations\/.*|components\/checkout\/texts\/(?!en\.ts).*)$/;
const INCLUDED = /\.(ts|tsx|mjs|css|md|sql|yaml|sh|example|service)$|^(Dockerfile|\.ci\/run)$/;

interface Match {
  readonly file: string;
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

/** "handOutAddress" and "hand_out" as words, in lower case. */
function words(line: string): string {
  return line
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
}

/** The replaced words of a text, in the order of its lines. */
export function findReplacedWords(file: string, text: string): Match[] {
  return text.split("\n").flatMap((source, i) => {
    const line = words(ALLOWED.reduce((rest, allowed) => rest.replace(allowed, ""), source));
    const fragment = /\.tsx?$/.test(file) ? FRAGMENT.exec(source)?.[1] : undefined;
    const found = REPLACED.flatMap(([pattern, instead]) => {
      const word = pattern.exec(line)?.[0];
      return word === undefined ? [] : [{ file, line: i + 1, word, instead }];
    });
    if (fragment !== undefined)
      found.push({ file, line: i + 1, word: fragment, instead: "a noun as the subject" });
    return found;
  });
}

function main(): void {
  const planted = findReplacedWords(
    "planted.ts",
    "function handOutAddress() {} // it stands at 3, reorganised\n// What it holds.\n",
  );
  if (planted.length !== 4) throw new Error("the word check does not find what is planted");
  const asked = process.argv.slice(2).filter((word) => !word.startsWith("--"));
  const root = dirname(import.meta.dirname);
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...asked], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\n")
    .filter((file) => INCLUDED.test(file) && !EXCLUDED.test(file));
  const found = files.flatMap((file) => findReplacedWords(file, readFileSync(`${root}/${file}`, "utf8")));
  if (process.argv.includes("--all") || found.length < 100) {
    for (const { file, line, word, instead } of found)
      console.log(`${file}:${line}: "${word}": write ${instead}`);
  } else {
    const folders = Map.groupBy(found, ({ file }) => file.split("/").slice(0, 3).join("/"));
    for (const [folder, matches] of folders) console.log(`${matches.length} in ${folder}`);
  }
  console.log(`words: ${files.length} files, ${found.length} replaced words`);
  if (found.length > 0) process.exitCode = 1;
}

main();
