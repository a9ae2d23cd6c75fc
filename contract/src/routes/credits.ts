/** What a transaction can be; a deduction is what requests cost. */
export const transactionTypes = [
  'recharge',
  'deduction',
  'refund',
  'bonus',
  'penalty',
  'adjustment',
] as const;

export type TransactionType = (typeof transactionTypes)[number];
