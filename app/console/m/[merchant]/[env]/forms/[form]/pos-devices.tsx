import { LocalTime } from "#components/console/local-time.tsx";
import { OnceForm } from "#components/console/once-form.tsx";
import { PlaceFields } from "#components/console/place-fields.tsx";
import { Field } from "#components/console/plain-page.tsx";
import { ReadyButton } from "#components/console/ready-button.tsx";
import type { FormView } from "#lib/domain/forms/types.ts";
import { listDevices } from "#lib/domain/pos/manage-devices.ts";
import { MAX_DEVICE_NAME } from "#lib/domain/pos/rules.ts";
import { posUrl } from "#lib/domain/pos/sell.ts";
import type { DeviceRow } from "#lib/domain/pos/types.ts";
import { getServices } from "#lib/web/services.ts";
import { addPosDevice, dropPosDevice } from "../actions.ts";

/** The newest devices of a form. One counter needs no more. */
const SHOWN = 20;

interface PosDevicesProps {
  form: FormView;
  hidden: Readonly<Record<string, string>>;
  mayChange: boolean;
}

/** The devices that sell this form on a counter: a phone or a tablet with a keypad, a QR code and "paid". */
export async function PosDevices({ form, hidden, mayChange }: PosDevicesProps) {
  const { config, database } = getServices();
  const range = { before: null, limit: SHOWN };
  const devices = (await listDevices(database.db, form.code, range)) ?? [];
  const url = posUrl(config, form.code);
  return (
    <section className="panel" aria-label="Points of sale">
      <h2 className="font-semibold">Points of sale</h2>
      <p className="text-sm text-muted">
        A phone or tablet on your counter opens <code className="break-all">{url}</code> and is given a code
        once. Then it sells this form: the keypad, the QR code, and a big “paid”.
      </p>
      {devices.length > 0 && (
        <ul className="divide-y divide-line rounded-xl border border-line text-sm">
          {devices.map((device) => (
            <Device key={device.id} device={device} hidden={hidden} mayChange={mayChange} />
          ))}
        </ul>
      )}
      {mayChange && (
        <OnceForm
          action={addPosDevice}
          hint="Enter this code on the device. It works once, for a day, and is not shown again."
          className="grid gap-4"
        >
          <PlaceFields of={hidden} />
          <div className="flex flex-wrap items-end gap-3">
            <Field
              label="Name of the device"
              name="name"
              required
              maxLength={MAX_DEVICE_NAME}
              autoComplete="off"
            />
            <ReadyButton className="button-small">Add a device</ReadyButton>
          </div>
        </OnceForm>
      )}
    </section>
  );
}

function Device({
  device,
  hidden,
  mayChange,
}: Pick<PosDevicesProps, "hidden" | "mayChange"> & { device: DeviceRow }) {
  const { id, name, createdAt, pairedAt, revokedAt } = device;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 p-3">
      <span className="min-w-0">
        <bdi className="block font-medium break-words">{name}</bdi>
        <span className="text-muted">
          {revokedAt !== null
            ? "Off since "
            : pairedAt !== null
              ? "Sells since "
              : "Waits for its code since "}
          <LocalTime at={revokedAt ?? pairedAt ?? createdAt} />
        </span>
      </span>
      {mayChange && revokedAt === null && (
        <form action={dropPosDevice}>
          <PlaceFields of={{ ...hidden, id }} />
          <button type="submit" className="button-quiet">
            Turn off
          </button>
        </form>
      )}
    </li>
  );
}
