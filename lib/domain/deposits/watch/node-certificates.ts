import { and, eq } from "drizzle-orm";
import type { CertificateStore, NodeCertificate } from "#lib/chains/node-certificates.ts";

import type { Db, Tx } from "#lib/platform/db/connection.ts";
import { nodeCertificates } from "../tables.ts";
import type { NetworkScope } from "../types.ts";

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

/** Replaces the certificate by which a server is known. Returns the one before. Joins the caller's transaction. */
export async function trustCertificate(
  tx: Tx,
  scope: NodeScope,
  { fingerprint, byAuthority }: NodeCertificate,
): Promise<{ readonly ok: true; readonly before: string | null }> {
  const before = await findCertificate(tx, scope);
  await tx
    .insert(nodeCertificates)
    .values({ ...pick(scope), fingerprint, byAuthority })
    .onConflictDoUpdate({
      target: [nodeCertificates.env, nodeCertificates.network, nodeCertificates.node],
      set: { fingerprint, byAuthority },
    });
  return { ok: true, before: before?.fingerprint ?? null };
}

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
