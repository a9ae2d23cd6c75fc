import type { RetentionPreview } from '@sluice/contract';
import { formatCount } from '../../lib/format-number.ts';

/** `Rows older than 30 days, about 1,204, are deleted in the night.` */
export function describeRetention(
  { rows, bodies, is_exact }: RetentionPreview,
  days: { readonly rows: number; readonly bodies: number },
): string {
  const about = (count: number) => `${is_exact ? 'about' : 'at least'} ${formatCount(count)}`;
  const rowsText =
    rows === 0
      ? `No row is older than ${countDays(days.rows)} yet.`
      : `Rows older than ${countDays(days.rows)}, ${about(rows)}, are deleted in the night.`;
  const bodiesText =
    bodies === 0
      ? `No other prompt or answer is older than ${countDays(days.bodies)}.`
      : `Prompts and answers older than ${countDays(days.bodies)}, of ${about(bodies)} more rows, go with them.`;
  return `${rowsText} ${bodiesText}`;
}

const countDays = (days: number) => (days === 1 ? '1 day' : `${formatCount(days)} days`);
