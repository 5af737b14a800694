import type { Metadata } from "next";
import { NoSuchPage } from "#components/console/no-such-page.tsx";

export const metadata: Metadata = { title: "No such page" };

export default function NotFound() {
  return <NoSuchPage />;
}
