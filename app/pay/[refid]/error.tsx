"use client";

import { useErrorTexts } from "#app/error-texts.tsx";
import { LostPage } from "#components/lost-page.tsx";

export default function ErrorPage({ retry }: { retry: () => void }) {
  return <LostPage texts={useErrorTexts()} retry={retry} />;
}
