const DAY_STEPS = [1, 2, 7, 10, 14, 28] as const;
const MOST_DATES = 4;

/** Which of `count` days have their date below the axis: the last one, and back from there in even steps. At most four. */
export function datedDays(count: number): readonly number[] {
  const step =
    DAY_STEPS.find((days) => Math.ceil(count / days) <= MOST_DATES) ?? Math.ceil(count / MOST_DATES);
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => count - 1 - i * step).reverse();
}

/** Which of `count` days is at a place between the chart's left edge, 0, and its right one, 1. */
export const dayAt = (share: number, count: number): number =>
  Math.min(Math.max(Math.floor(share * count), 0), count - 1);
