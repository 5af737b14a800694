/** Texts that no log may contain. Secrets that a run created are also in its SECRETS_FILE. */
const PATTERNS: readonly (readonly [string, RegExp])[] = [
  ["an API key", /pl_(?:live|test)_[0-9A-Za-z]{16,}/],
  ["a webhook secret", /whsec_[0-9A-Za-z+/=]{16,}/],
  ["a URL with a password", /[a-z][a-z0-9+.-]*:\/\/[^\s"'/@:]*:[^\s"'/@]+@/i],
  ["an extended private key", /\b[xtyzuv]prv[1-9A-HJ-NP-Za-km-z]{50,}/],
  ["a header with a password", /\b(?:Basic|Bearer) [0-9A-Za-z+/=._~-]{8,}/i],
  ["a header with a password", /"authorization"/i],
  ["an e-mail address", /[0-9A-Za-z._+-]+@[0-9A-Za-z-]+\.(?:com|test|example|org|net)\b/],
  ["a customer's name", /\b(?:Ada|Obi|Adaprivate|Obiprivate)\b/],
  ["a customer's telephone number", /\+234\d{8,}/],
  ["what was bound to a statement", /(?:\\n|\b)params: /],
  ["a row, as PostgreSQL quotes it", /Failing row contains|Key \([^)]*\)=\(/],
  // The first key of the mnemonic that every development chain uses, and the mnemonic.
  ["a private key", /ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80/i],
  ["a seed phrase", /test test test test|legal winner thank year/],
];

export interface FoundSecret {
  /** From 1. */
  readonly line: number;
  readonly what: string;
  readonly text: string;
}

/** The lines of a log that contain a secret: one of `secrets` exactly, or text that looks like one. */
export function findSecrets(log: string, secrets: readonly string[]): FoundSecret[] {
  return log.split("\n").flatMap((text, at) => {
    const found = PATTERNS.find(([, pattern]) => pattern.test(text))?.[0];
    const what = found ?? (secrets.some((secret) => text.includes(secret)) ? "a secret of the run" : null);
    return what === null ? [] : [{ line: at + 1, what, text: text.slice(0, 500) }];
  });
}
