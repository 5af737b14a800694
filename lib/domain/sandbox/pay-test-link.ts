import { defineProgramVerb } from "#lib/domain/authority/define-verb.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import type { PlayRequest, Sandbox } from "./types.ts";

/** Pays a merchant's own test link on a development chain. The transactions on the chain are its record: it leaves no audit entry. */
export const payTestLink = defineProgramVerb(
  "sandbox.pay",
  async (
    { merchantId, env },
    { sandbox, request }: { readonly sandbox: Sandbox; readonly request: Omit<PlayRequest, "merchantId"> },
  ) => {
    if (env !== "test") return { ok: false, reason: "sandbox_live_key" } as const;
    // No link has such a refid: skip the query and keep the text out of the log.
    if (!isRefid(request.refid)) return { ok: false, reason: "link_not_found" } as const;
    return sandbox.play({ ...request, merchantId });
  },
);
