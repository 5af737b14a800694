import type { Metadata } from "next";
import { frameOf } from "#app/console/m/frame.ts";
import { requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { readNotice } from "#components/console/notices.ts";
import { ConsoleForm } from "#components/console/settings-console-form.tsx";
import { AppearanceForm, PaymentsForm, WebsitesForm } from "#components/console/settings-forms.tsx";
import { LINK_PAIRS, NETWORKS, pairCode } from "#lib/chains/networks.ts";
import { may } from "#lib/domain/authority/role-rules.ts";
import { findMerchant } from "#lib/domain/merchants/queries.ts";
import { FIAT_CURRENCIES } from "#lib/domain/rates/rules.ts";
import { listTimeZones } from "#lib/platform/time-zone.ts";
import { getServices } from "#lib/web/services.ts";
import { saveSettings } from "./actions.ts";
import { showSettings } from "./read-settings.ts";

export const metadata: Metadata = { title: "Settings" };

const CURRENCY_NAMES = new Intl.DisplayNames("en", { type: "currency" });

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const desk = await requireDesk(await params, "settings.view");
  const { env, workplace, base } = desk;
  const merchant = await findMerchant(getServices().database.db, workplace.merchantId);
  if (merchant === null) return null;
  const mayChange = may(workplace.role, "settings.change");
  const shared = {
    action: saveSettings,
    place: { merchant: workplace.code, env },
    values: showSettings(merchant),
    mayChange,
  };
  const logo = merchant.logo === null ? null : `/pay/logo/${merchant.logo}.webp`;
  const pairs = LINK_PAIRS.map((pair) => ({
    code: pairCode(pair),
    text: `${pair.token.toUpperCase()} on ${NETWORKS[pair.network].name}`,
  }));
  const currencies = ["usd" as const, ...FIAT_CURRENCIES].map((code) => ({
    code,
    text: `${code.toUpperCase()}, ${CURRENCY_NAMES.of(code.toUpperCase())}`,
  }));
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="settings"
      title="Settings"
      notice={readNotice((await searchParams).notice)}
      actions={
        may(workplace.role, "audit.view") && (
          <a href={`${base}/settings/audit`} className="button-quiet">
            Audit log
          </a>
        )
      }
    >
      <p className="text-sm text-muted">
        They are the same for live and test.{mayChange ? "" : " Your role can read them."}
      </p>
      <AppearanceForm {...shared} logo={logo}>
        {mayChange && <LogoForms action={`${base}/settings/logo`} hasLogo={logo !== null} />}
      </AppearanceForm>
      <PaymentsForm {...shared} pairs={pairs} />
      <WebsitesForm {...shared} />
      <ConsoleForm {...shared} zones={listTimeZones()} currencies={currencies} />
    </ConsoleFrame>
  );
}

/** Without scripts as with them: the file goes to a route of its own. */
function LogoForms({ action, hasLogo }: { action: string; hasLogo: boolean }) {
  return (
    <div className="grid gap-2">
      <form
        action={action}
        method="post"
        encType="multipart/form-data"
        className="flex flex-wrap items-end gap-2"
      >
        <label className="grid min-w-0 gap-1 text-sm">
          Logo
          <input
            type="file"
            name="logo"
            required
            accept="image/png,image/jpeg,image/webp"
            className="max-w-full text-sm file:me-3 file:cursor-pointer file:rounded-lg file:border file:border-line file:bg-card file:px-3 file:py-1.5 file:text-ink"
          />
        </label>
        <button type="submit" className="button-quiet">
          Upload
        </button>
      </form>
      <p className="text-sm text-muted">
        A PNG, JPEG or WebP up to 2 MB, at least 32 pixels wide and high. Best square.
      </p>
      {hasLogo && (
        <form action={action} method="post" encType="multipart/form-data">
          <input type="hidden" name="remove" value="yes" />
          <button type="submit" className="link text-sm">
            Remove the logo
          </button>
        </form>
      )}
    </div>
  );
}
