import { and, eq } from "drizzle-orm";
import type { NetworkScope } from "#lib/chains/networks.ts";
import type { CertificateStore, NodeCertificate } from "#lib/chains/node-certificates.ts";
import { defineInstallationVerb, done } from "#lib/domain/authority/define-verb.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { nodeCertificates } from "../tables.ts";

type NodeScope = NetworkScope & { readonly node: string };

/** Keeps the certificates of servers in the database: all processes and commands share them. */
export function openCertificateStore(db: Db): CertificateStore {
  return {
    async remember(scope, shown) {
      await db
        .insert(nodeCertificates)
        .values({ ...pick(scope), ...shown })
        .onConflictDoNothing();
      return (await findCertificate(db, scope)) ?? shown;
    },
  };
}

/** Replaces the certificate by which a server is known. Returns the one before. */
export const trustCertificate = defineInstallationVerb(
  "node.trust",
  async ({ tx }, { scope, shown }: { readonly scope: NodeScope; readonly shown: NodeCertificate }) => {
    const { fingerprint, byAuthority } = shown;
    const before = (await findCertificate(tx, scope))?.fingerprint ?? null;
    await tx
      .insert(nodeCertificates)
      .values({ ...pick(scope), fingerprint, byAuthority })
      .onConflictDoUpdate({
        target: [nodeCertificates.env, nodeCertificates.network, nodeCertificates.node],
        set: { fingerprint, byAuthority },
      });
    const { env, network, node } = scope;
    return done({ before }, { subject: `network:${env}:${network}`, details: { node, fingerprint, before } });
  },
);

async function findCertificate(
  db: Db | Tx,
  { env, network, node }: NodeScope,
): Promise<NodeCertificate | null> {
  const [row] = await db
    .select({ fingerprint: nodeCertificates.fingerprint, byAuthority: nodeCertificates.byAuthority })
    .from(nodeCertificates)
    .where(
      and(
        eq(nodeCertificates.env, env),
        eq(nodeCertificates.network, network),
        eq(nodeCertificates.node, node),
      ),
    );
  return row ?? null;
}

const pick = ({ env, network, node }: NodeScope) => ({ env, network, node });
