import { Button } from '@mantine/core';
import { useState } from 'react';
import { Badge, IntentBadge, RoleBadge } from '#components/ui/badge.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { Skeleton, SkeletonLines } from '#components/ui/skeleton.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { showError, showLoading, showMessage, showSuccess } from '#components/ui/toasts.tsx';
import { formatUsd, formatUsdExact } from '#lib/format-money.ts';
import { formatShare, formatTokens } from '#lib/format-number.ts';
import { formatDuration, formatLastUsed } from '#lib/format-time.ts';
import { useNow } from '#lib/use-now.ts';
import { InBothSchemes, Part, PartGroup } from './part.tsx';

const intents = ['coding', 'testing', 'documentation', 'research', 'off_topic', 'other'];

export function StatusParts() {
  return (
    <PartGroup title="States">
      <Part name="StatusMark">
        <InBothSchemes>
          <StatusMark kind="ok">Active</StatusMark>
          <StatusMark kind="warn">Expires soon</StatusMark>
          <StatusMark kind="bad">Blocked</StatusMark>
          <StatusMark kind="off">Inactive</StatusMark>
          <StatusMark kind="pending">Pending</StatusMark>
        </InBothSchemes>
      </Part>
      <Part name="IntentBadge">
        <InBothSchemes>
          {intents.map((intent) => (
            <IntentBadge key={intent} intent={intent} />
          ))}
        </InBothSchemes>
      </Part>
      <Part name="RoleBadge, Badge">
        <InBothSchemes>
          <RoleBadge name="super_admin" />
          <RoleBadge name="admin" />
          <RoleBadge name="user" />
          <RoleBadge name="member" />
          <Badge>direct</Badge>
          <Badge tone="warn">Revoked</Badge>
        </InBothSchemes>
      </Part>
      <Part name="EmptyState">
        <InBothSchemes>
          <EmptyState title="No users yet">Users that you create or invite appear here.</EmptyState>
        </InBothSchemes>
      </Part>
      <Part name="Failure">
        <Failure message="Error loading users: Unknown error" error={null} onRetry={() => undefined} />
      </Part>
      <Part name="Skeleton">
        <SkeletonLines count={3} />
        <Skeleton width="8rem" height="2rem" />
      </Part>
    </PartGroup>
  );
}

const outcomeMs = 3000;

export function ToastParts() {
  const load = (end: 'succeed' | 'fail') => {
    const loading = showLoading('Testing connection...');
    setTimeout(() => loading[end](end === 'succeed' ? 'Connection works' : 'Connection refused'), outcomeMs);
  };
  const showMany = () => {
    for (let count = 1; count <= 25; count++) showMessage(`Message ${count}`);
  };
  return (
    <PartGroup title="Toasts">
      <Part name="One of each kind">
        <Button variant="default" onClick={() => showMessage('The export has started')}>
          Message
        </Button>
        <Button variant="default" onClick={() => showSuccess('API key copied to clipboard!')}>
          Success
        </Button>
        <Button variant="default" onClick={() => showError('Failed to update team status')}>
          Error
        </Button>
        <Button variant="default" onClick={() => load('succeed')}>
          Loading, then success
        </Button>
        <Button variant="default" onClick={() => load('fail')}>
          Loading, then error
        </Button>
        <Button variant="default" onClick={showMany}>
          25 messages
        </Button>
      </Part>
    </PartGroup>
  );
}

const stats = [
  {
    label: 'Total Requests',
    value: '18,204',
    note: <StatusMark kind="ok">Up 8.1% from the previous 30 days</StatusMark>,
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
