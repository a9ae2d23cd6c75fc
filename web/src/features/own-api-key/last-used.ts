import { ownDay } from '../../lib/format-day.ts';
import { formatDay } from '../../lib/format-time.ts';

const dayMs = 24 * 3_600_000;
const daysMax = 30;

/** Returns `Today`, `Yesterday`, `12 days ago` below 30 days, else the date, in the user's time zone. */
export function formatLastUsed(lastUsedAt: string | null, nowMs: number): string {
  if (lastUsedAt === null) return 'Never';
  const days = (startOfDay(nowMs) - startOfDay(Date.parse(lastUsedAt))) / dayMs;
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < daysMax ? `${days} days ago` : formatDay(lastUsedAt);
}

const startOfDay = (instantMs: number): number => Date.parse(ownDay(instantMs));
