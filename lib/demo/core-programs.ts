/** A node program of Core's family that the demo and the tests run on a private chain. */
export interface CoreProgram {
  /** Its file's name, on the PATH and in the cache folder; unpack-debian.sh knows it by that too. */
  readonly name: string;
  /** The variable that says where it is. */
  readonly variable: string;
  /** What one installs to have it. */
  readonly project: string;
  readonly configurationFile: string;
  /** Lines of its configuration that the others do not have. */
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
    // It knows replacement and does not take it by itself; its wallet asks ten times the fee that its mempool does.
    "mempoolreplacement=1",
    "mintxfee=0.00001",
    // The extension block (MWEB) never comes into force: from then on it mines only with coins of its wallet in there.
    "vbparams=mweb:4000000000:4000000001",
  ],
};
