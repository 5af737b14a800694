/** A node program of Bitcoin Core's family that the demo and the tests run on a private chain. */
export interface CoreProgram {
  /** Its file name, on the PATH and in the cache folder. unpack-debian.sh uses the same name. */
  readonly name: string;
  /** The environment variable with its path. */
  readonly variable: string;
  /** The package to install. */
  readonly project: string;
  readonly configurationFile: string;
  /** Configuration lines that only this program has. */
  readonly configuration: readonly string[];
}

export const BITCOIND: CoreProgram = {
  name: "bitcoind",
  variable: "BITCOIND",
  project: "Bitcoin Core",
  configurationFile: "bitcoin.conf",
  configuration: [],
};

export const LITECOIND: CoreProgram = {
  name: "litecoind",
  variable: "LITECOIND",
  project: "Litecoin Core",
  configurationFile: "litecoin.conf",
  configuration: [
    // It supports replacement only when asked to. Its wallet pays ten times the fee that its mempool asks
    // for.
    "mempoolreplacement=1",
    "mintxfee=0.00001",
    // Keeps the extension block (MWEB) inactive. Once active, it mines only with wallet coins inside it.
    "vbparams=mweb:4000000000:4000000001",
  ],
};
