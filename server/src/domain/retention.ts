/** Retention of audit log entries in days. The database rejects the deletion of newer entries. */
export const auditRetentionDays = 400;

const hour = 2;
const minute = 11;
const dayMs = 86_400_000;

/** Cron expression for the nightly retention run, in UTC. */
export const retentionPattern = `${minute} ${hour} * * *`;

export function findNextRetentionRun(nowMs: number): Date {
  const midnightMs = Math.floor(nowMs / dayMs) * dayMs;
  const todayMs = midnightMs + (hour * 60 + minute) * 60_000;
  return new Date(todayMs > nowMs ? todayMs : todayMs + dayMs);
}

/** Returns the time before which data has exceeded its retention period. */
export function retentionCutoff(nowMs: number, days: number): Date {
  return new Date(nowMs - days * dayMs);
}
