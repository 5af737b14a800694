import type { Metadata } from "next";
import { PlainPage } from "#components/console/plain-page.tsx";

export const metadata: Metadata = { title: "No such page" };

export default function NotFound() {
  return (
    <PlainPage title="There is no such page">
      <p className="text-muted">It may have been removed, or your role does not show it.</p>
      <a href="/console" className="button">
        Back to the console
      </a>
    </PlainPage>
  );
}
