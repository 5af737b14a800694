import type { Act } from "#lib/domain/authority/types.ts";

/** A verb with what it needs: the first row of `prepare` is made by the operator in the same transaction, which is undone. */
export interface Tried {
  readonly attempt: (act: Act, id: number) => Promise<object>;
  /** Makes what the verb is about. Absent: it needs nothing. */
  readonly prepare?: (act: Act) => Promise<number>;
  /** The verb changes the installation: its entry names the merchant that it returns, or none. */
  readonly isOfInstallation?: true;
  /** The refusal of what another merchant has, or the other environment. Absent: the verb names nothing that exists. */
  readonly notFound?: string;
  /** The rows that the verb writes are its record: it leaves no audit entry. */
  readonly keepsOwnRecord?: true;
  /** The operator decides with it about what any merchant of the environment has. */
  readonly reachesEveryMerchant?: true;
}
