import { z } from 'zod';

/** The default is last month's statement by team. */
export const statementsSearch = z.object({
  /** Example: `2026-11`. */
  month: z
    .string()
    .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/)
    .optional()
    .catch(undefined),
  /** Groups rows by this label. Absent for teams. */
  label: z.string().max(63).optional().catch(undefined),
});

const monthsListed = 36;

/** Returns the month that is `count` months before another, in the form `2026-11`. */
export function monthBefore(month: string, count: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 - count, 1)).toISOString().slice(0, 7);
}

/** An older selected month is added. */
export function listMonths(today: string, chosen: string): string[] {
  const current = today.slice(0, 7);
  const listed = Array.from({ length: monthsListed }, (_, ago) => monthBefore(current, ago));
  return listed.includes(chosen) ? listed : [...listed, chosen];
}
