/**
 * Whether what is paid to a script is lost: no one has the key of a hash of zeros, and anyone can spend an output of a segwit version or
 * length that has no meaning yet.
 */
export function isLostScript(script: Uint8Array): boolean {
  const [version = 0, length = 0] = script;
  const isWitness =
    script.length >= 4 &&
    length === script.length - 2 &&
    (version === 0 || (version > 0x50 && version <= 0x60));
  if (isWitness && version > 0x51) return true;
  if (version === 0x51 && isWitness && length !== 32) return true;
  // P2PKH has its hash after three bytes, all others after two. Both end with operations, if with any, that are not zero.
  const hash = isWitness
    ? script.subarray(2)
    : script.subarray(version === 0x76 ? 3 : 2, version === 0x76 ? 23 : 22);
  return hash.length > 0 && hash.every((byte) => byte === 0);
}
