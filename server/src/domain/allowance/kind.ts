/** What an allowance limits. Amounts are requests, tokens, or for credits nano-dollars. */
export const allowanceKinds = [
  'requests_per_hour',
  'tokens_per_day',
  'tokens_per_month',
  'task_tokens',
  'credits',
] as const;

export type AllowanceKind = (typeof allowanceKinds)[number];
