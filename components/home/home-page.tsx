import { Icon } from "#components/ui/icon.tsx";
import type { HostTexts } from "./texts.ts";

interface HomePageProps {
  texts: HostTexts;
  /** The address of the console. Null: the console is off, or not for the public. */
  consoleUrl: string | null;
}

/** The page at the root of the host: what it is, for payers and for shops. */
export function HomePage({ texts, consoleUrl }: HomePageProps) {
  const { home } = texts;
  return (
    <main className="mx-auto w-full max-w-lg px-4 py-10">
      <p className="mb-6 flex items-center gap-2 font-semibold">
        <span className="grid size-9 place-items-center rounded-full bg-accent text-on-accent">
          <Icon name="wallet" />
        </span>
        Paylink
      </p>
      <h1 className="text-3xl font-semibold tracking-tight">{home.title}</h1>
      <p className="mt-3 text-lg text-muted">{home.lead}</p>
      <section className="card mt-8">
        <h2 className="text-lg font-semibold">{home.payTitle}</h2>
        <p className="text-muted">{home.payText}</p>
      </section>
      <section className="card mt-4">
        <h2 className="text-lg font-semibold">{home.shopTitle}</h2>
        <ul className="grid gap-1">
          {consoleUrl !== null && <Way href={consoleUrl} text={home.console} />}
          <Way href="/v1/docs" text={home.docs} />
          <Way href="/status" text={home.status} />
        </ul>
      </section>
    </main>
  );
}

function Way({ href, text }: { href: string; text: string }) {
  return (
    <li>
      <a href={href} className="link flex min-h-11 items-center justify-between gap-3 font-medium">
        {text}
        <Icon name="next" className="size-5 rtl:rotate-180" />
      </a>
    </li>
  );
}
