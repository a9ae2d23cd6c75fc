/** What a new user may use when nobody says otherwise: tokens a day, tokens a month, requests an hour. */
export const defaultQuotas = { dailyQuota: 1000, monthlyQuota: 30_000, requestsPerHour: 100 } as const;
