import type { ManagementToken } from '@sluice/contract';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { formatFullTime, formatRelative } from '#lib/format-time.ts';
import { useNow } from '#lib/use-now.ts';

const soonMs = 7 * 86_400_000;

export function TokenState({ token: { state, expires_at } }: { token: ManagementToken }) {
  const nowMs = useNow();
  if (state === 'revoked') return <StatusMark kind="off">Revoked</StatusMark>;
  const isSoon = Date.parse(expires_at) - nowMs < soonMs;
  const kind = state === 'expired' ? 'bad' : isSoon ? 'warn' : 'ok';
  return (
    <span title={formatFullTime(expires_at)}>
      <StatusMark kind={kind}>
        {state === 'expired' ? 'Expired' : 'Expires'} {formatRelative(expires_at, nowMs)}
      </StatusMark>
    </span>
  );
}
