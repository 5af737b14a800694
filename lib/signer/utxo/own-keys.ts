import type { HDKey } from "@scure/bip32";
import type { UtxoData } from "#lib/chains/network-data.ts";
import { deriveChildKey } from "../account-key.ts";
import type { Coin } from "./types.ts";

type Place = Pick<Coin, "branch" | "index">;

/** The children of an account: 0/n receive deposits, 1/n our own change. */
export interface OwnKeys {
  readonly form: UtxoData["script"];
  child(place: Place): { readonly publicKey: Uint8Array; readonly script: Uint8Array };
  /** Throws a KeyError if the account is a public key. */
  secret(place: Place): Uint8Array;
}

/** Opens a private or a public account key. */
export function openOwnKeys(account: HDKey, form: UtxoData["script"]): OwnKeys {
  const branches = [account.deriveChild(0), account.deriveChild(1)] as const;
  return {
    form,
    child({ branch, index }) {
      const { publicKey, pubKeyHash } = branches[branch].deriveChild(index);
      if (publicKey === null || pubKeyHash === undefined) throw new Error("the account derives no keys");
      const script =
        form === "p2wpkh"
          ? Uint8Array.of(0x00, 20, ...pubKeyHash)
          : Uint8Array.of(0x76, 0xa9, 20, ...pubKeyHash, 0x88, 0xac);
      return { publicKey, script };
    },
    secret: ({ branch, index }) => deriveChildKey(account, branch, index),
  };
}
