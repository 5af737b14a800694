"use client";

import { LostPage } from "#components/lost-page.tsx";

const TEXTS = {
  title: "This page cannot be loaded now",
  text: "Something failed on the server. This page tries again by itself.",
  retry: "Try again",
};

export default function ErrorPage({ retry }: { retry: () => void }) {
  return <LostPage texts={TEXTS} retry={retry} />;
}
