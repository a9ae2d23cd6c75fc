/** Counting stops here: nobody pages further, and a list of millions must not be counted for each screen. */
export const totalCountMax = 10_000;

/** The header `X-Total-Count` of a count that was cut one above the maximum. */
export function formatTotalCount(counted: number): string {
  return counted > totalCountMax ? `${totalCountMax}+` : String(counted);
}
