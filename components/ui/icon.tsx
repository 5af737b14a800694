/** Paths of 24 × 24 icons, drawn as strokes. */
const PATHS = {
  wallet: "M4 7h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h11v3M16.5 13.5h.01",
  send: "M12 19V5M6 11l6-6 6 6",
  clock: "M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z",
  search: "M20 20l-4.2-4.2M17.5 10.8a6.7 6.7 0 1 1-13.4 0 6.7 6.7 0 0 1 13.4 0Z",
  check: "M5 12.5l4.6 4.5L19 7.5",
  alert:
    "M12 8v5M12 16.6h.01M10.3 3.9 2.6 17.2A2 2 0 0 0 4.3 20h15.4a2 2 0 0 0 1.7-2.8L13.7 3.9a2 2 0 0 0-3.4 0Z",
  cross: "M7 7l10 10M17 7 7 17",
  next: "M9 6l6 6-6 6",
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  print: "M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7z",
  external: "M14 5h5v5M19 5l-8 8M17 14v5H5V7h5",
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon: the text next to it says the same. */
export function Icon({ name, className = "size-5" }: { name: IconName; className?: string }) {
  return <StrokeIcon path={PATHS[name]} className={className} />;
}

/** A decorative icon of 24 × 24, drawn as a stroke along a path. */
export function StrokeIcon({ path, className }: { path: string; className: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
