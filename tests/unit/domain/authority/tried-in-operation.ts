/** The verbs with which the operator keeps the installation going, with what they need. */
import type { Act, InstallationAct } from "#lib/domain/authority/types.ts";
import { resealSecrets } from "#lib/domain/database/reseal-secrets.ts";
import { skipNumbers } from "#lib/domain/database/skip-numbers.ts";
import { watchCursors } from "#lib/domain/deposits/tables.ts";
import { acceptGap } from "#lib/domain/deposits/watch/accept-gap.ts";
import { trustCertificate } from "#lib/domain/deposits/watch/node-certificates.ts";
import { resendMail } from "#lib/domain/mail/resend-mail.ts";
import { mails } from "#lib/domain/mail/tables.ts";
import type { Tried } from "./tried.ts";

const SCOPE = { env: "test", network: "bep20" } as const;

async function aGap({ tx }: InstallationAct): Promise<number> {
  const at = { height: 20, hash: "AB", nodeHeight: 20 };
  await tx.insert(watchCursors).values({ ...SCOPE, ...at, gapFrom: 11, gapTo: 20 });
  return 0;
}

async function aFailedMail({ tx, merchantId, env }: Act): Promise<number> {
  const mail = {
    kind: "invitation",
    recipient: "ada@example.com",
    data: {} as never,
    status: "failed",
  } as const;
  const [row] = await tx
    .insert(mails)
    .values({ merchantId, env, ...mail })
    .returning({ id: mails.id });
  return row?.id ?? 0;
}

export const TRIED_IN_OPERATION = {
  "network.accept_gap": { attempt: (act) => acceptGap(act, SCOPE), prepare: aGap, isOfInstallation: true },
  "node.trust": {
    attempt: (act) =>
      trustCertificate(act, {
        scope: { ...SCOPE, node: "node.example:50002" },
        shown: { fingerprint: "ab".repeat(32), byAuthority: false },
      }),
    isOfInstallation: true,
  },
  "mail.resend": {
    attempt: (act, id) => resendMail(act, { id }),
    prepare: aFailedMail,
    notFound: "mail_not_failed",
  },
  "secrets.reseal": { attempt: (act) => resealSecrets(act, { reseal: () => null }), isOfInstallation: true },
  "numbers.skip": { attempt: (act) => skipNumbers(act, {}), isOfInstallation: true },
} as const satisfies Readonly<Record<string, Tried>>;
