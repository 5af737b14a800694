"use client";

import { LostPage } from "#components/lost-page.tsx";
import { useErrorTexts } from "./error-texts.tsx";

export default function ErrorPage({ retry }: { retry: () => void }) {
  return <LostPage texts={useErrorTexts()} retry={retry} />;
}
