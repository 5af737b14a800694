/**
 * Derives each child of a key once in this process. A signer of bitcoin's family derives 200 change addresses at its start,
 * and every adapter its addresses: most of the time of such tests, for the same few keys.
 */
import { hex } from "@scure/base";
import { HDKey } from "@scure/bip32";

const children = new Map<string, HDKey>();
const { deriveChild } = HDKey.prototype;

HDKey.prototype.deriveChild = function (this: HDKey, index: number): HDKey {
  const { chainCode, privateKey, versions, depth } = this;
  const kind = `${privateKey ? "private" : "public"} ${versions.private} ${versions.public} ${depth}`;
  const name = `${kind} ${hex.encode(chainCode!)} ${index}`;
  const child = children.get(name) ?? deriveChild.call(this, index);
  children.set(name, child);
  return child;
};
