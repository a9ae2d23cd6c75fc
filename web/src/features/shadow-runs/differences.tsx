import type { ShadowDifference, ShadowRun } from '@sluice/contract';
import { type StatusKind, StatusMark } from '#components/ui/status-mark.tsx';
import { formatUsd } from '#lib/format-money.ts';
import { formatShare, roundFraction } from '#lib/format-number.ts';

const marks: Readonly<Record<ShadowDifference, { kind: StatusKind; text: string }>> = {
  none: { kind: 'ok', text: 'Same' },
  refused_here: { kind: 'bad', text: 'Refused here' },
  refused_there: { kind: 'warn', text: 'Refused there' },
  other_model: { kind: 'warn', text: 'Other model' },
  other_cost: { kind: 'pending', text: 'Other cost' },
  not_compared: { kind: 'off', text: 'Not compared' },
};

export const differenceName = (difference: ShadowDifference) => marks[difference].text;

export function DifferenceMark({ difference }: { difference: ShadowDifference }) {
  const { kind, text } = marks[difference];
  return <StatusMark kind={kind}>{text}</StatusMark>;
}

const sourceNames: Readonly<Record<ShadowRun['source'], string>> = {
  file: 'From a file',
  mirror: 'From mirrored traffic',
  log: 'From the log',
};

/** Example: `https://litellm.example.com · file`. */
export const summarizeSource = ({
  source,
  compared_with: other,
}: Pick<ShadowRun, 'source' | 'compared_with'>) => `${other ?? 'Not compared with a log'} · ${source}`;

/** Example: `From a file, compared with https://litellm.example.com`. */
export function describeSource({
  source,
  compared_with: other,
}: Pick<ShadowRun, 'source' | 'compared_with'>): string {
  return `${sourceNames[source]}, ${other === null ? 'not compared with a log' : `compared with ${other}`}`;
}

export const countCompared = ({ requests, not_compared }: Pick<ShadowRun, 'requests' | 'not_compared'>) =>
  requests - not_compared;

/** The percentage is the cost difference of this gateway: `$1,271.90 there (-6.9%)`. */
export function describeCostThere({
  cost_usd: here,
  other_cost_usd: there,
}: Pick<ShadowRun, 'cost_usd' | 'other_cost_usd'>): string {
  const change = there === 0 ? null : roundFraction(here - there) / there;
  const percent = change === null ? '' : ` (${change > 0 ? '+' : ''}${formatShare(change)})`;
  return `${formatUsd(there)} there${percent}`;
}
