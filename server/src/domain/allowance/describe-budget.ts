import type { BudgetMeasure, BudgetPeriod } from '@sluice/contract';

/** Names of the objects that a budget applies to; `null` if the budget is not restricted to objects of this kind. */
export interface BudgetNames {
  readonly team: string | null;
  readonly user: string | null;
  readonly apiKey: string | null;
  readonly task: string | null;
  readonly instance: string | null;
  readonly models: string | null;
}

export function describeBudgetSubject(names: BudgetNames): string {
  const { apiKey, instance, models, task, team, user } = names;
  const quoted = (noun: string, name: string | null) => (name === null ? [] : [`${noun} "${name}"`]);
  const person = [...quoted('API key', apiKey), ...quoted('user', user)].join(' of ');
  const parts = [
    ...(person && team !== null ? [`${person} in team "${team}"`] : [...quoted('team', team), person]),
    ...quoted('task', task),
    ...quoted('provider', instance),
  ].filter(Boolean);
  const owner = parts.length === 0 ? 'your organization' : parts.join(', ');
  return models === null ? owner : `${owner}, models ${models}`;
}

const adjectives: Readonly<Record<BudgetPeriod, string>> = {
  minute: 'per-minute',
  hour: 'hourly',
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  total: 'total',
  at_once: '',
};

const units: Readonly<Record<BudgetMeasure, string>> = {
  usd: 'budget',
  tokens: 'token budget',
  requests: 'request budget',
  parallel_requests: 'limit of parallel requests',
};

/**
 * For use within a sentence, for example `monthly token budget of team "Platform"` or `limit of parallel requests of
 * task "X"`.
 */
export function describeBudget(period: BudgetPeriod, measure: BudgetMeasure, subject: string): string {
  return `${adjectives[period]} ${units[measure]} of ${subject}`.trimStart();
}

const counts = new Intl.NumberFormat('en-US');
const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 9,
});

export function formatBudgetAmount(measure: BudgetMeasure, amount: number): string {
  if (measure === 'usd') return dollars.format(amount / 1e9);
  const unit = measure.replace('_', ' ');
  return `${counts.format(amount)} ${amount === 1 ? unit.slice(0, -1) : unit}`;
}
