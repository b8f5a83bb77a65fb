/** Whether a percentage is a ratio, rounded to what is shown of it. */
export function isPercent(shown: string, ratio: number): boolean {
  const [, bound, figure] = /^([<>]?)([\d,.]+)%$/.exec(shown) ?? [];
  if (figure === undefined) return false;
  const percent = Number(figure.replaceAll(',', ''));
  if (bound === '<') return ratio * 100 < percent;
  if (bound === '>') return ratio * 100 > percent;
  return Math.abs(ratio * 100 - percent) <= 0.5001;
}
