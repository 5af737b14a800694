import type { Metadata } from "next";
import type { ReactNode } from "react";
import "./console.css";

export const metadata: Metadata = { title: { default: "Paylink", template: "%s · Paylink" } };

export default function Layout({ children }: { children: ReactNode }) {
  return children;
}
