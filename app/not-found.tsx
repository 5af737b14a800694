import type { Metadata } from "next";
import { textsOf } from "#components/checkout/texts.ts";
import { MessagePage } from "#components/ui/message-page.tsx";
import { pageLanguage } from "./page-language.ts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: textsOf(await pageLanguage()).unknown.title };
}

export default async function NotFound() {
  const { unknown } = textsOf(await pageLanguage());
  return (
    <MessagePage icon="search" title={unknown.title}>
      <p className="text-muted">{unknown.text}</p>
    </MessagePage>
  );
}
