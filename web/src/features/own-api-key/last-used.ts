const dayMs = 24 * 3_600_000;
const daysMax = 30;
const dayFormat = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric' });

/** `Today`, `Yesterday`, `12 days ago` below 30 days, else the date; by the browser's calendar. */
export function formatLastUsed(lastUsedAt: string | null, nowMs: number): string {
  if (lastUsedAt === null) return 'Never';
  const days = Math.round((startOfDay(nowMs) - startOfDay(Date.parse(lastUsedAt))) / dayMs);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < daysMax ? `${days} days ago` : dayFormat.format(new Date(lastUsedAt));
}

function startOfDay(instantMs: number): number {
  return new Date(instantMs).setHours(0, 0, 0, 0);
}
