/** Why the embedded PostgreSQL is not available. The message is for the person at the terminal. */
export class EmbeddedPostgresError extends Error {
  readonly kind: "in_use" | "port_taken" | "unreachable" | "no_user" | "unsupported_platform" | "failed";
  constructor(kind: EmbeddedPostgresError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EmbeddedError";
    this.kind = kind;
  }
}
