/** Highest count of a list, so that millions of rows are not counted for each page; users do not page beyond it. */
export const totalCountMax = 10_000;

/** Highest count of the request log, whose rows are expensive to find; its export counts more. */
export const logCountMax = 1_000;

/** Returns the `X-Total-Count` header for a count that stops one above the maximum. */
export function formatTotalCount(counted: number, max = totalCountMax): string {
  return counted > max ? `${max}+` : String(counted);
}
