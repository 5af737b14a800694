import type { Env } from "./network-data.ts";
import type { NetworkCode } from "./networks.ts";

/** The certificate by which a server is known. */
export interface NodeCertificate {
  /** SHA-256 of the certificate, in hex. */
  readonly fingerprint: string;
  /** It was signed by a public authority for the server's name: any other such certificate is as good. */
  readonly byAuthority: boolean;
}

/** Remembers the certificates of one environment's and network's servers, by name ("host:port"). */
export interface CertificateStore {
  /** Returns what is stored, after storing this one if there was none. */
  remember(
    scope: { readonly env: Env; readonly network: NetworkCode; readonly node: string },
    shown: NodeCertificate,
  ): Promise<NodeCertificate>;
}
