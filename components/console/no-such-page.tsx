import { MessagePage } from "#components/ui/message-page.tsx";

/** The answer of the console to a path without a page. */
export function NoSuchPage() {
  return (
    <MessagePage icon="search" title="The console has no such page">
      <p className="text-muted">The address may be wrong, the page removed, or your role does not show it.</p>
      <a href="/console" className="button">
        To the overview
      </a>
    </MessagePage>
  );
}
