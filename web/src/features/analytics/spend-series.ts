import type { DailySpend } from '@sluice/contract';
import { cycleColorOf, providerColorOf } from '../../components/charts/chart-colors.ts';
import type { Series } from '../../components/charts/chart-data.ts';

type Breakdown = 'breakdown' | 'provider';

/** Returns a line per payer or per provider, highest spend first. */
export function spendSeriesOf(
  spend: readonly DailySpend[],
  days: readonly string[],
  breakdown: Breakdown,
): Series[] {
  const byDay = Map.groupBy(spend, ({ date }) => date);
  const sumsOf = (read: (row: DailySpend) => number) =>
    days.map((day) => (byDay.get(day) ?? []).reduce((sum, row) => sum + read(row), 0));
  if (breakdown === 'breakdown')
    return [
      { label: 'Self Managed', color: cycleColorOf(0), values: sumsOf((row) => row.user_llm_spend) },
      { label: 'Sluice Managed', color: cycleColorOf(1), values: sumsOf((row) => row.company_llm_spend) },
    ];
  const providers = [...Map.groupBy(spend, ({ provider_key }) => provider_key).values()];
  const total = (rows: readonly DailySpend[]) => rows.reduce((sum, row) => sum + row.total_spend, 0);
  return providers
    .toSorted((one, other) => total(other) - total(one))
    .flatMap(([first]) => first ?? [])
    .map(({ provider_key: key, provider_name }) => ({
      label: provider_name,
      color: providerColorOf(key),
      values: sumsOf((row) => (row.provider_key === key ? row.total_spend : 0)),
    }));
}
