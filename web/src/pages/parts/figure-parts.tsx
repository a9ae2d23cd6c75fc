import { useState } from 'react';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { Time } from '../../components/ui/time.tsx';
import { formatLastUsed } from '../../lib/format-age.ts';
import { formatUsd, formatUsdExact } from '../../lib/format-money.ts';
import { formatShare, formatTokens } from '../../lib/format-number.ts';
import { formatDuration } from '../../lib/format-time.ts';
import { useNow } from '../../lib/use-now.ts';
import { Part, PartGroup } from './part.tsx';

const stats = [
  {
    label: 'Total Requests',
    value: '18,204',
    note: <StatusMark kind="ok">8.1% up on the 30 days before</StatusMark>,
  },
  { label: 'Avg Requests/Day', value: '607' },
  { label: 'Total Tokens', value: formatTokens(128_400_000) },
  { label: 'Active Users', value: '43', note: 'of 61 with access' },
];
const loadingStats = stats.map(({ label }) => ({ label, value: undefined }));
const days = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const;

export function FigureParts() {
  const nowMs = useNow();
  const [range, setRange] = useState<(typeof days)[number]['value']>('30');
  const ago = (hours: number) => new Date(nowMs - hours * 3_600_000).toISOString();
  return (
    <PartGroup title="Figures">
      <Part name="StatStrip">
        <StatStrip label="Usage" stats={stats} />
      </Part>
      <Part name="StatStrip, loading">
        <StatStrip label="Usage that is loading" stats={loadingStats} />
      </Part>
      <Part name="SegmentedSwitch">
        <SegmentedSwitch label="Range" options={days} value={range} onChange={setRange} />
      </Part>
      <Part name="Time">
        <Time value={ago(0)} />
        <Time value={ago(3)} />
        <Time value={ago(80)} />
        <span className="num">
          Last used:{' '}
          {[null, ago(0), ago(24), ago(72), ago(2000)]
            .map((instant) => formatLastUsed(instant, nowMs))
            .join(' · ')}
        </span>
      </Part>
      <Part name="Money, tokens, shares">
        <span className="num">
          {formatUsd(12.4)} · {formatUsd(0.0042)} · {formatUsdExact(1482.631, 4)} ·{' '}
          {formatUsdExact(0.000042, 6)} · {formatTokens(12_840)} tokens · {formatShare(0.44)} ·{' '}
          {formatDuration(310)} · {formatDuration(2410)}
        </span>
      </Part>
    </PartGroup>
  );
}
