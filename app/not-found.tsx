import { english } from "#components/checkout/texts.ts";
import { MessagePage } from "#components/ui/message-page.tsx";

export default function NotFound() {
  return (
    <MessagePage icon="search" title={english.unknown.title}>
      <p className="text-muted">{english.unknown.text}</p>
    </MessagePage>
  );
}
