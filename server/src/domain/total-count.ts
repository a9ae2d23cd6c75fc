/** Counting stops here: nobody pages further, and a list of millions must not be counted for each screen. */
export const totalCountMax = 10_000;

/** For the request log, whose rows are dear to find; its export counts further. */
export const logCountMax = 1_000;

/** The header `X-Total-Count` of a count that was cut one above the maximum. */
export function formatTotalCount(counted: number, max = totalCountMax): string {
  return counted > max ? `${max}+` : String(counted);
}
