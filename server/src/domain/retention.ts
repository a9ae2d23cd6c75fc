/** The longest that entries of the audit log are kept; the database refuses to delete younger ones. */
export const auditRetentionDays = 400;

const hour = 2;
const minute = 11;
const dayMs = 86_400_000;

/** Every night, in UTC, as cron writes it. */
export const retentionPattern = `${minute} ${hour} * * *`;

/** When the job of retention runs next. */
export function findNextRetentionRun(nowMs: number): Date {
  const midnightMs = Math.floor(nowMs / dayMs) * dayMs;
  const todayMs = midnightMs + (hour * 60 + minute) * 60_000;
  return new Date(todayMs > nowMs ? todayMs : todayMs + dayMs);
}

/** What is older has been kept for all its days. */
export function retentionCutoff(nowMs: number, days: number): Date {
  return new Date(nowMs - days * dayMs);
}
