/** Maximum count of a list, so that millions of rows are not counted for each page. Users do not page beyond it. */
export const totalCountMax = 10_000;

/** Maximum count of the request log, whose rows are expensive to find. The export has a higher maximum. */
export const logCountMax = 1_000;

/** The count stops at one above the maximum. */
export function formatTotalCount(counted: number, max = totalCountMax): string {
  return counted > max ? `${max}+` : String(counted);
}
