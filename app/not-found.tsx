import type { Metadata } from "next";
import { textsOf } from "#components/checkout/texts.ts";
import { NoSuchPage } from "#components/console/no-such-page.tsx";
import { MessagePage } from "#components/ui/message-page.tsx";
import { isConsoleRequest, readPageLanguage } from "./page-request.ts";

export async function generateMetadata(): Promise<Metadata> {
  if (await isConsoleRequest()) return { title: "No such page · Paylink" };
  return { title: textsOf(await readPageLanguage()).linkNotFound.title };
}

export default async function NotFound() {
  if (await isConsoleRequest()) return <NoSuchPage />;
  const { linkNotFound } = textsOf(await readPageLanguage());
  return (
    <MessagePage icon="search" title={linkNotFound.title}>
      <p className="text-muted">{linkNotFound.text}</p>
    </MessagePage>
  );
}
