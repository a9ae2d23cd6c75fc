import type { DailyRefusals } from '@sluice/contract';
import { cycleColorOf } from '../../components/charts/chart-colors.ts';
import type { Item, Series } from '../../components/charts/chart-data.ts';
import { formatLabel } from '../../lib/format-label.ts';
import { formatCount, formatQuantity } from '../../lib/format-number.ts';

/** Refusals for one reason in the whole period; `rows` log rows represent `count` refusals. */
export interface Reason {
  reason: string;
  count: number;
  rows: number;
}

const sumOf = (refusals: readonly DailyRefusals[], name: 'count' | 'rows') =>
  refusals.reduce((sum, row) => sum + row[name], 0);

/** Returns all reasons, most frequent first. */
export function reasonsOf(refusals: readonly DailyRefusals[]): Reason[] {
  return [...Map.groupBy(refusals, ({ reason }) => reason)]
    .map(([reason, days]) => ({ reason, count: sumOf(days, 'count'), rows: sumOf(days, 'rows') }))
    .toSorted((one, other) => other.count - one.count || one.reason.localeCompare(other.reason));
}

export const toReasonItem = ({ reason, count, rows }: Reason, place: number): Item => ({
  label: formatLabel(reason),
  value: count,
  color: cycleColorOf(place),
  details: [
    ['Refused', formatCount(count)],
    ['Rows of the log', formatCount(rows)],
  ],
});

const shownMax = 6;

/** Returns a bar for each reason and day; the rarest reasons after six are joined. */
export function refusalSeriesOf(refusals: readonly DailyRefusals[], days: readonly string[]): Series[] {
  const reasons = reasonsOf(refusals).map(({ reason }) => reason);
  const shown = reasons.slice(0, reasons.length > shownMax ? shownMax - 1 : shownMax);
  const byDay = Map.groupBy(refusals, ({ date }) => date);
  const countsOf = (isMeant: (reason: string) => boolean) =>
    days.map((day) =>
      sumOf(
        (byDay.get(day) ?? []).filter(({ reason }) => isMeant(reason)),
        'count',
      ),
    );
  const series = shown.map((reason, place) => ({
    label: formatLabel(reason),
    color: cycleColorOf(place),
    values: countsOf((other) => other === reason),
  }));
  if (shown.length === reasons.length) return series;
  const label = formatQuantity(reasons.length - shown.length, 'other reason');
  const values = countsOf((reason) => !shown.includes(reason));
  return [...series, { label, color: 'var(--provider-other)', values }];
}
