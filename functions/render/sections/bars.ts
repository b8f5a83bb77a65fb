/** The parts of a bar, as widths that together are 100%; `null` for one without any width. */
export interface BarView {
  responded: string | null;
  /** Saw it and did not respond. */
  seen: string | null;
  rest: string | null;
}

/**
 * The bar of how many of `whole` saw something and how many responded. Those who responded count as a part of those who saw it,
 * also where more responded than saw. Anything above zero is at least 1% wide, and only all of it is 100%.
 */
export function viewBar(responded: number, seen: number, whole: number): BarView {
  const toSeen = percentOf(seen, whole);
  const toResponded = Math.min(percentOf(responded, whole), toSeen);
  return { responded: width(toResponded), seen: width(toSeen - toResponded), rest: width(100 - toSeen) };
}

function percentOf(part: number, whole: number): number {
  if (part <= 0 || whole <= 0) return 0;
  return part >= whole ? 100 : Math.min(99, Math.max(1, Math.round((part / whole) * 100)));
}

function width(percent: number): string | null {
  return percent === 0 ? null : `${percent}%`;
}
