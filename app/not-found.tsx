import type { Metadata } from "next";
import { textsOf } from "#components/checkout/texts.ts";
import { MessagePage } from "#components/ui/message-page.tsx";
import { readPageLanguage } from "./page-request.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: textsOf(await readPageLanguage()).linkNotFound.title };
}

export default async function NotFound() {
  const { linkNotFound } = textsOf(await readPageLanguage());
  return (
    <MessagePage icon="search" title={linkNotFound.title}>
      <p className="text-muted">{linkNotFound.text}</p>
    </MessagePage>
  );
}
