import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { formatCount } from '../../lib/format-number.ts';
import { logFailure } from '../../lib/log-failure.ts';
import { webhookStatsQuery } from './queries.ts';
import { statsDays } from './search.ts';
import styles from './stats.module.css';

interface WebhookStatsProps {
  days: number;
  onDays: (days: (typeof statsDays)[number]) => void;
}

/** Number of events in a period, in total and by type. */
export function WebhookStats({ days, onDays }: WebhookStatsProps) {
  const { data, error } = useQuery(webhookStatsQuery(days));
  useEffect(() => {
    if (error) logFailure('The statistics of webhooks could not be loaded', error);
  }, [error]);
  const types = Object.entries(data?.event_types ?? {});
  return (
    <>
      <div className={styles.days}>
        <SegmentedSwitch
          label="Statistics of the last"
          options={statsDays.map((count) => ({ value: String(count), label: `${count} days` }))}
          value={String(days)}
          onChange={(chosen) => onDays(statsDays.find((count) => String(count) === chosen) ?? 30)}
        />
      </div>
      {error && !data ? (
        <p className="quiet">The statistics cannot be shown at the moment.</p>
      ) : (
        <StatStrip
          label="Webhooks in figures"
          stats={[
            { label: 'Total Events', value: data?.total_events },
            { label: 'Successful', value: data?.successful_events },
            { label: 'Failed', value: data?.failed_events },
            { label: 'Success Rate', value: data && `${data.success_rate.toFixed(1)} %` },
          ]}
        />
      )}
      {types.length > 0 && (
        <ul className={`num ${styles.types}`} aria-label="Events by type">
          {types.map(([type, count]) => (
            <li key={type}>
              <code>{type}</code> {formatCount(count)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
