import { join } from "node:path";
import type { TestContext } from "node:test";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { type Journal, JournalError, openJournal } from "#lib/signer/journal.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import { openSigner, type SignerDeps, type SignerNetwork, stepNetwork } from "#lib/signer/run-signer.ts";
import { testDatabase } from "./database.ts";
import { folderOf } from "./folders.ts";
import { log } from "./watched-chain.ts";
import { withdrawalSteps } from "./withdrawal-steps.ts";

/** A database, a folder with a journal, and signers of a network of the test environment that start over both. */
export async function signerHost(
  t: TestContext,
  networks: NetworkRegistry,
  network: NetworkCode,
  given: Pick<SignerDeps, "mnemonic"> & Partial<SignerDeps>,
) {
  const database = await testDatabase();
  t.after(() => database.close());
  const folder = folderOf(t);
  const adapter = networks.find("test", network);
  if (adapter === null) throw new Error(`${network} is off`);
  const deps = { db: database.db, networks };
  const journalPath = join(folder, "journal.jsonl");
  let journal: Journal | null = null;
  return {
    ...{ database, ...deps, adapter, folder, journalPath },
    ...withdrawalSteps(deps, log),
    /** A signer as after its process began: with the journal that is on the disk. */
    start(policy: string, changes: Partial<SignerDeps> = {}): SignerNetwork {
      journal?.close();
      journal = openJournal(journalPath);
      const parsed = parsePolicy(policy, (_env, _network, address) =>
        adapter.addresses.canonicalize(address),
      );
      const [opened] = openSigner({ ...deps, journal, policy: () => parsed, log, ...given, ...changes });
      if (opened === undefined) throw new Error("the signer pays nowhere");
      return opened;
    },
    /** A journal whose process is killed after its next line is on the disk. */
    dyingJournal(): Journal {
      const dying = openJournal(journalPath);
      const append = dying.append;
      dying.append = (entry) => {
        append(entry);
        throw new JournalError("killed");
      };
      return dying;
    },
    journal: () => openJournal(journalPath).entries,
    step: (signer: SignerNetwork) => stepNetwork(signer, log),
  };
}
