import type { ReactNode } from "react";

/** The least that Next requires around a page. */
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
