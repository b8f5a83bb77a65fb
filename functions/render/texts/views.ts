/** Whether the service gave responses but no views. That is not said to be seen by nobody. */
export function lacksViews({ seen, responded }: { seen: number | null; responded: number | null }): boolean {
  return seen === 0 && responded !== null && responded > 0;
}
