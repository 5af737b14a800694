import type { Metadata } from "next";
import { readDraft } from "#app/console/draft.ts";
import { frameOf } from "#app/console/m/frame.ts";
import { readId } from "#app/console/read-id.ts";
import { requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { readNotice } from "#components/console/notices.ts";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { may } from "#lib/domain/authority/role-rules.ts";
import { listPeople } from "#lib/domain/members/queries.ts";
import { listApiKeys, listIpEntries } from "#lib/domain/merchants/queries.ts";
import { isKeyActive } from "#lib/domain/merchants/rules.ts";
import { listEndpoints, listLoggedDeliveries } from "#lib/domain/webhooks/queries.ts";
import { DELIVERY_STATUSES } from "#lib/domain/webhooks/types.ts";
import { getServices } from "#lib/web/services.ts";
import { Deliveries } from "./deliveries.tsx";
import { Endpoints } from "./endpoints.tsx";
import { IpList } from "./ip-list.tsx";
import { Keys } from "./keys.tsx";

export const metadata: Metadata = { title: "Developers" };

const DELIVERIES = 20;

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const { merchant, env } = await params;
  const query = await searchParams;
  const desk = await requireDesk({ merchant, env }, "developers.view");
  const { db } = getServices().database;
  const { merchantId, role } = desk.workplace;
  const owner = { merchantId, env: desk.env };
  const status = DELIVERY_STATUSES.find((one) => one === query.deliveries) ?? null;
  const endpointId = readId(query.endpoint);
  const range = { status, eventId: null, endpointId, before: readId(query.before), limit: DELIVERIES + 1 };
  const [keys, endpoints, deliveries, ips] = await Promise.all([
    listApiKeys(db, merchantId),
    listEndpoints(db, owner),
    listLoggedDeliveries(db, owner, range),
    listIpEntries(db, merchantId),
  ]);
  const now = new Date();
  const makers = await listPeople(db, [...new Set(keys.flatMap(({ madeBy }) => madeBy ?? []))]);
  const place = <PlaceFields of={{ merchant, env }} />;
  const mayChangeWebhooks = may(role, "webhooks.change");
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="developers"
      title="Developers"
      notice={readNotice(query.notice)}
    >
      <Keys
        keys={keys.filter((key) => key.env === desk.env && isKeyActive(key, now))}
        makers={makers}
        place={place}
        base={desk.base}
        mayChange={may(role, "keys.change")}
        hasPlugins={getServices().config.greenfield}
      />
      <Endpoints endpoints={endpoints} place={place} base={desk.base} mayChange={mayChangeWebhooks} />
      <Deliveries
        deliveries={deliveries.slice(0, DELIVERIES)}
        merchant={merchant}
        env={env}
        mayChange={mayChangeWebhooks}
        filter={{ status, endpointId, endpoints, hasOlder: deliveries.length > DELIVERIES }}
      />
      {desk.env === "live" && (
        <IpList
          entries={ips}
          place={place}
          draft={await readDraft(`${desk.base}/developers`, query.notice)}
          mayChange={may(role, "ips.change")}
        />
      )}
    </ConsoleFrame>
  );
}
