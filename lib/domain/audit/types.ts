/** Something a person decided. */
export interface AuditEntry {
  /** Who: "operator:{system user}". */
  readonly actor: string;
  /** What: "deposit.resolve". */
  readonly action: string;
  /** To what: "deposit:12". */
  readonly subject: string;
  /** Whatever explains it later; amounts as text. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}
