import type { ReactNode } from 'react';
import { formatTitleDay, ownDay } from '#lib/format-day.ts';
import { formatCount, formatQuantity, formatShare } from '#lib/format-number.ts';
import { roundShares } from '#lib/round-to-sum.ts';
import { scoreLevels } from '#lib/score-level.ts';

/** One value per day, drawn as a line or as bars. */
export interface Series {
  label: string;
  color: string;
  /** One value per day. `null` means unknown and is drawn as a gap. */
  values: readonly (number | null)[];
}

export interface DayMarker {
  /** Day in the form `2026-11-20`. */
  day: string;
  /** Text in the tooltip and the table, for example `Policy changed`. */
  text: string;
}

export interface LevelLine {
  value: number;
  label: string;
  color: string;
}

/** Intent, model, key or user in a chart. */
export interface Item {
  /** Full name. Charts may truncate the displayed name. */
  label: string;
  value: number;
  color: string;
  /**
   * Share from 0 to 1 if the total includes more than the listed items. The default is the share in the sum of the
   * items.
   */
  share?: number;
  /** Rows of the tooltip and the table, for example `['Users', '12']`. */
  details?: readonly (readonly [name: string, value: string])[];
}

export type LinkOf = (place: number, name: string) => ReactNode;

export const plainName: LinkOf = (_, name) => name;

export interface ChartTable {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Returns a formatter for a plural unit: `5,650,060 tokens`, `1 token`. */
export const formatWithUnit =
  (unit: string) =>
  (value: number): string =>
    formatQuantity(value, unit.replace(/s$/, ''));

/** Returns a formatter that ignores the tick index, which charts pass as a second argument. */
export const formatOfTicks =
  (format: (value: number) => string) =>
  (value: number): string =>
    format(value);

/** Whether a positive number has at most two significant digits, apart from rounding errors. */
function hasTwoDigits(value: number): boolean {
  const digits = value / 10 ** (Math.floor(Math.log10(value)) - 1);
  return Math.abs(digits - Math.round(digits)) < 1e-6;
}

/** Returns evenly spaced ticks from 0 to `max`, four steps if they are round numbers. */
export function evenTicks(max: number, isWhole: boolean): number[] {
  const isRound = (step: number) => hasTwoDigits(step) && (!isWhole || Number.isInteger(step));
  const steps = [4, 5, 2].find((count) => isRound(max / count)) ?? (isWhole ? 1 : 2);
  return Array.from({ length: steps + 1 }, (_, place) => (max * place) / steps);
}

/** Rounds the share so that the percentages of all items add up to at most 100. */
export function shareOf(item: Item, items: readonly Item[]): number {
  const total = items.reduce((sum, { value }) => sum + value, 0);
  const exactOf = ({ share, value }: Item) => share ?? (total === 0 ? 0 : value / total);
  return roundShares(items.map(exactOf))[items.indexOf(item)] ?? exactOf(item);
}

/** Example: `Coding: 8,009 (44.0%)`. */
export const describeItem = (
  item: Item,
  items: readonly Item[],
  formatValue: (value: number) => string = formatCount,
): string => `${item.label}: ${formatValue(item.value)} (${formatShare(shareOf(item, items))})`;

export function tabulateSeries(
  days: readonly string[],
  series: readonly Series[],
  formatValue: (value: number) => string = formatCount,
  markers: readonly DayMarker[] = [],
): ChartTable {
  const cell = (value: number | null | undefined) =>
    typeof value === 'number' ? formatValue(value) : 'No data';
  const hasMarkers = markers.length > 0;
  return {
    columns: ['Date', ...series.map(({ label }) => label), ...(hasMarkers ? ['Events'] : [])],
    rows: days.map((day, index) => [
      describeDayTitle(day),
      ...series.map(({ values }) => cell(values[index])),
      ...(hasMarkers ? [markersOn(day, markers).join(', ')] : []),
    ]),
  };
}

/** Whether a day has not ended in the user's time zone, in which case its values still change. */
export const isRunningDay = (day: string): boolean => day.slice(0, 10) === ownDay(Date.now());

/** Returns `Friday, Nov 20, 2026`, followed by `so far` if the day has not ended. */
export const describeDayTitle = (day: string): string =>
  `${formatTitleDay(day)}${isRunningDay(day) ? ', so far' : ''}`;

export const markersOn = (day: string, markers: readonly DayMarker[]): string[] =>
  markers.filter((marker) => marker.day === day).map(({ text }) => text);

export function tabulateItems(
  items: readonly Item[],
  columns: { label: string; value: string },
  formatValue: (value: number) => string = formatCount,
): ChartTable {
  const detailNames = items[0]?.details?.map(([name]) => name) ?? [columns.value, 'Share'];
  return {
    columns: [columns.label, ...detailNames],
    rows: items.map((item) => [
      item.label,
      ...(item.details?.map(([, value]) => value) ?? [
        formatValue(item.value),
        formatShare(shareOf(item, items)),
      ]),
    ]),
  };
}

export const scoreLevelLines: readonly LevelLine[] = [
  { value: scoreLevels.elevated, label: `Elevated: ${scoreLevels.elevated} or higher`, color: 'var(--warn)' },
  { value: scoreLevels.high, label: `High: ${scoreLevels.high} or higher`, color: 'var(--bad)' },
];
