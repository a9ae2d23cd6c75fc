/** Default limits of a new user: tokens per day, tokens per month, requests per hour. */
export const defaultQuotas = { dailyQuota: 1000, monthlyQuota: 30_000, requestsPerHour: 100 } as const;
