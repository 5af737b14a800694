import { NoticeBox } from "#components/ui/notice-box.tsx";
import type { Env } from "#lib/chains/network-data.ts";
import type { HostTexts } from "./texts.ts";

export interface NetworkState {
  readonly name: string;
  /** `unwatched`: no watcher reads it now. `late`: its blocks become final late. */
  readonly state: "well" | "unwatched" | "late";
}

interface StatusPageProps {
  texts: HostTexts;
  groups: readonly { readonly env: Env; readonly networks: readonly NetworkState[] }[];
}

/** The state of each network, in words. */
export function StatusPage({ texts, groups }: StatusPageProps) {
  const { title, none, allWell, trouble, test, well, unwatched, late } = texts.networkStatus;
  const words = { well, unwatched, late };
  const all = groups.flatMap(({ networks }) => networks);
  const isWell = all.every(({ state }) => state === "well");
  return (
    <main className="mx-auto grid w-full max-w-lg gap-4 px-4 py-10">
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      {all.length === 0 ? (
        <p className="text-muted">{none}</p>
      ) : (
        <NoticeBox tone={isWell ? "good" : "warn"} icon={isWell ? "check" : "alert"}>
          {isWell ? allWell : trouble}
        </NoticeBox>
      )}
      {groups.map(
        ({ env, networks }) =>
          networks.length > 0 && (
            <section key={env} className="card">
              {env === "test" && <h2 className="font-semibold text-muted">{test}</h2>}
              <ul className="grid gap-3">
                {networks.map(({ name, state }) => (
                  <li key={name} className="flex flex-wrap justify-between gap-x-4">
                    <span className="font-medium">{name}</span>
                    <span className={state === "well" ? "text-good" : "text-warn"}>{words[state]}</span>
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
    </main>
  );
}
