import { StrokeIcon } from "#components/ui/icon.tsx";

/** Paths of 24 × 24 icons, drawn as strokes. They are here, so that the payment page does not load them. */
const PATHS = {
  overview: "M4 20V11M10 20V4M16 20v-6M21 20H3",
  payments: "M7 8h13l-3.5-3.5M17 16H4l3.5 3.5",
  new: "M12 8v8M8 12h8M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z",
  forms: "M6 3h12v18H6zM9.5 8h5M9.5 12h5M9.5 16h2.5",
  customers: "M15.5 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0ZM5 20a7 7 0 0 1 14 0",
  money: "M3 7h18v10H3zM14.5 12a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0ZM6.5 12h.01M17.5 12h.01",
  developers: "M8 8l-4 4 4 4M16 8l4 4-4 4M13.5 5l-3 14",
  members:
    "M12 8.5a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM3 19.5a6 6 0 0 1 12 0M15.5 5.7a3 3 0 0 1 0 5.6M17.5 14a6 6 0 0 1 3.5 5.5",
  settings:
    "M4 7h8M18 7h2M4 17h2M12 17h8M17.5 7a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0ZM11.5 17a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z",
  account: "M15 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM6.5 18.5a6 6 0 0 1 11 0M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z",
  networks:
    "M12 8V5M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM8.5 14 5 17M15.5 14l3.5 3M13 4a1 1 0 1 1-2 0 1 1 0 0 1 2 0ZM5 18a1 1 0 1 1-2 0 1 1 0 0 1 2 0ZM21 18a1 1 0 1 1-2 0 1 1 0 0 1 2 0Z",
  merchants:
    "M5 10v10h14V10M3.5 10 5 4h14l1.5 6a3 3 0 0 1-5.7 0 3 3 0 0 1-5.6 0 3 3 0 0 1-5.7 0ZM10 20v-5h4v5",
  unmatched:
    "M12 16.5h.01M9.7 9.3a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.3 1-1.3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z",
  withdrawals: "M12 15V4M7.5 8.5 12 4l4.5 4.5M4 14v6h16v-6",
  signer: "M11 15.5a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM10 12.7 19 4M15.5 7.3l3 3",
  audit: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
} as const;

export type NavIconName = keyof typeof PATHS;

/** The icon of a page of the console. A phone has no room for it. */
export function NavIcon({ name }: { name: NavIconName }) {
  return <StrokeIcon path={PATHS[name]} className="size-4.5 max-md:hidden" />;
}
