/** Crockford's base 32: without I, L, O and U, which are read or typed as something else. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 60 random bits. */
const CODE_CHARS = 12;

/** A code as people read it, from at least 12 random bytes: "7K3M-Q9PX-2BTD". */
export function formatTypedCode(random: Uint8Array): string {
  const chars = Array.from(random.subarray(0, CODE_CHARS), (byte) => ALPHABET[byte % ALPHABET.length]);
  return chars.join("").replace(/(.{4})(?=.)/g, "$1-");
}

/** A typed code without what people change: case, spaces, dashes, O for 0, I and L for 1. null if it cannot be one. */
export function readTypedCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  const isPossible = code.length === CODE_CHARS && [...code].every((char) => ALPHABET.includes(char));
  return isPossible ? code : null;
}
