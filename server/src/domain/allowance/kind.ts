/** Kinds of allowances. Amounts are requests or tokens, or nano-dollars for credits. */
export const allowanceKinds = [
  'requests_per_hour',
  'tokens_per_day',
  'tokens_per_month',
  'task_tokens',
  'credits',
] as const;

export type AllowanceKind = (typeof allowanceKinds)[number];
