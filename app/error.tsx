"use client";

import { LostPage } from "#components/lost-page.tsx";
import { useErrorTexts } from "./error-texts.tsx";

/** For pages on which nobody may have paid yet. */
export default function ErrorPage({ retry }: { retry: () => void }) {
  const { title, retry: again } = useErrorTexts();
  return <LostPage texts={{ title, retry: again }} retry={retry} />;
}
