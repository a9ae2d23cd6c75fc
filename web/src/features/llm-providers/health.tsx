import type { LlmProviderHealth } from '@sluice/contract';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatRelative } from '../../lib/format-age.ts';
import { formatUsdExact } from '../../lib/format-money.ts';
import { formatCount, formatShare } from '../../lib/format-number.ts';
import { formatDuration, formatFullTime } from '../../lib/format-time.ts';
import { useNow } from '../../lib/use-now.ts';
import styles from './health.module.css';

/** Health of an instance in the last 24 hours, from the request log. */
export function ProviderHealth({ health }: { health: LlmProviderHealth }) {
  const nowMs = useNow();
  const { last_success_at, requests, error_rate, p50_ms, p95_ms, spend, models_in_cooldown } = health;
  return (
    <div className={styles.health}>
      {models_in_cooldown.length > 0 && (
        <StatusMark kind="warn">In cooldown after failures: {models_in_cooldown.join(', ')}</StatusMark>
      )}
      {requests === 0 ? (
        <p className="quiet">No requests in the last 24 hours</p>
      ) : (
        <dl className={`num ${styles.figures}`}>
          <Figure name="Requests, 24 h">{formatCount(requests)}</Figure>
          <Figure name="Errors">{error_rate === null ? '–' : formatShare(error_rate)}</Figure>
          <Figure name="p50 / p95">
            {p50_ms === null || p95_ms === null
              ? '–'
              : `${formatDuration(p50_ms)} / ${formatDuration(p95_ms)}`}
          </Figure>
          <Figure name="Spend">{formatUsdExact(spend, 4)}</Figure>
          <Figure name="Last success" title={last_success_at ? formatFullTime(last_success_at) : undefined}>
            {last_success_at ? formatRelative(last_success_at, nowMs) : 'None'}
          </Figure>
        </dl>
      )}
    </div>
  );
}

function Figure({ name, title, children }: { name: string; title?: string | undefined; children: string }) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
