import { z } from 'zod';

/** Search parameters of Statements. Default: last month by team. */
export const statementsSearch = z.object({
  /** `2026-11` */
  month: z
    .string()
    .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/)
    .optional()
    .catch(undefined),
  /** Name of the label whose values the statement lists; absent for teams. */
  label: z.string().max(63).optional().catch(undefined),
});

const monthsListed = 36;

/** Returns a month some months before another: `2026-11`. */
export function monthBefore(month: string, count: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 - count, 1)).toISOString().slice(0, 7);
}

/** Returns the months to choose from, newest first, with the chosen one if it is older. */
export function listMonths(today: string, chosen: string): string[] {
  const current = today.slice(0, 7);
  const listed = Array.from({ length: monthsListed }, (_, ago) => monthBefore(current, ago));
  return listed.includes(chosen) ? listed : [...listed, chosen];
}
