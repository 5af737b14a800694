import type { ReactNode } from "react";
import { LocalTime } from "#components/console/local-time.tsx";
import { OnceForm } from "#components/console/once-form.tsx";
import { ReadyButton } from "#components/console/ready-button.tsx";
import { type HeldScope, KEY_SCOPES } from "#lib/domain/authority/types.ts";
import type { ApiKey } from "#lib/domain/merchants/types.ts";
import { PLUGIN_PRESETS } from "#lib/web/greenfield/authorize-request.ts";
import { makeKey, makePluginKey } from "./actions.ts";

export const SCOPE_TEXTS: Readonly<Record<HeldScope, string>> = {
  full: "everything",
  read: "reads only",
  "payment-links": "makes and reads payment links",
  withdrawals: "asks for withdrawals and refunds",
  webhooks: "webhook endpoints and deliveries",
  settings: "IP list, members and the merchant's settings",
  greenfield: "what a plugin of a shop asked for",
};

type People = ReadonlyMap<number, { readonly name: string }>;

/** The name of who made a key. `people` are by id. */
export const makerOf = ({ madeBy }: ApiKey, people: People): string =>
  madeBy === null ? "the operator" : (people.get(madeBy)?.name ?? "");

export function Keys({
  keys,
  makers,
  place,
  base,
  mayChange,
  hasPlugins,
}: {
  keys: readonly ApiKey[];
  /** The people who made them, by id. */
  makers: People;
  place: ReactNode;
  /** Path of the merchant's console. */
  base: string;
  mayChange: boolean;
  /** Plugins of shops can use this installation. */
  hasPlugins: boolean;
}) {
  return (
    <section className="panel" aria-labelledby="keys">
      <h2 id="keys" className="font-semibold">
        API keys
      </h2>
      {keys.length === 0 && (
        <p className="text-sm text-muted">There is no key yet. Programs of the shop need one.</p>
      )}
      <ul className="grid gap-2 text-sm">
        {keys.map((key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            maker={makerOf(key, makers)}
            url={mayChange ? `${base}/developers/keys/${key.id}` : null}
          />
        ))}
      </ul>
      {mayChange && <NewKey place={place} />}
      {mayChange && hasPlugins && <NewPluginKey place={place} />}
    </section>
  );
}

function KeyRow({
  apiKey: key,
  maker,
  url,
}: {
  apiKey: ApiKey;
  maker: string;
  /** The page that revokes it. null: the person may not. */
  url: string | null;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-2">
      <span>
        {key.name !== "" && <bdi className="font-medium break-words">{key.name} </bdi>}
        <code className="font-mono">…{key.last4}</code> {SCOPE_TEXTS[key.scope]}
        {/* A line for each: the time in the viewer's zone is longer, and moves nothing then. */}
        <span className="block text-muted">
          since <LocalTime at={key.createdAt} />
        </span>
        <span className="block text-muted">
          made by <bdi>{maker}</bdi>
        </span>
        {key.lastUsedAt !== null && (
          <span className="block text-muted">
            last used <LocalTime at={key.lastUsedAt} />
          </span>
        )}
      </span>
      {url !== null && (
        <a href={url} className="button-quiet" aria-label={`Revoke the key ${key.last4}`}>
          Revoke
        </a>
      )}
    </li>
  );
}

function NewKey({ place }: { place: ReactNode }) {
  return (
    <OnceForm
      action={makeKey}
      hint="Keep this key where only your program can read it. It is not shown again."
      className="grid gap-3 border-t border-line pt-4"
    >
      {place}
      <label className="grid gap-1 text-sm text-muted">
        Name of the new key
        <input
          name="name"
          maxLength={60}
          autoComplete="off"
          placeholder="The program that has it"
          className="input"
        />
      </label>
      <label className="grid gap-1 text-sm text-muted">
        What it may do
        <select name="scope" defaultValue="payment-links" className="input">
          {KEY_SCOPES.map((scope) => (
            <option key={scope} value={scope}>
              {scope}: {SCOPE_TEXTS[scope]}
            </option>
          ))}
        </select>
      </label>
      <p className="text-sm text-muted">
        A key can do at most what your role can, and ends when you no longer work here.
      </p>
      <ReadyButton className="button-small justify-self-start">Create a key</ReadyButton>
    </OnceForm>
  );
}

/** Most plugins ask for their key themselves. This form is for those that cannot, or whose shop the browser does not reach. */
function NewPluginKey({ place }: { place: ReactNode }) {
  return (
    <OnceForm
      action={makePluginKey}
      hint="Enter this key in the plugin. It is not shown again."
      className="grid gap-3 border-t border-line pt-4"
    >
      {place}
      <label className="grid gap-1 text-sm text-muted">
        Key for the plugin of
        <select name="plugin" className="input">
          {Object.entries(PLUGIN_PRESETS).map(([plugin, { name }]) => (
            <option key={plugin} value={plugin}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="grid gap-1 text-sm text-muted">
        The shop is at
        <input name="url" type="url" maxLength={2_000} placeholder="https://" className="input" />
        <span className="hint">
          The key may send webhooks to this address alone. Without it, a live key needs an IP list for them.
        </span>
      </label>
      <ReadyButton className="button-small justify-self-start">Make a plugin's key</ReadyButton>
    </OnceForm>
  );
}
