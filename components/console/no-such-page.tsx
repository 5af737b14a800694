import { MessagePage } from "#components/ui/message-page.tsx";

/** What the console says at a path that it has no page for. */
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
