import type { Today as Facts } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failure } from '../../components/ui/failure.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatTitleDay } from '../../lib/format-day.ts';
import { formatLabel } from '../../lib/format-label.ts';
import { formatCount, formatQuantity } from '../../lib/format-number.ts';
import { Breakdown } from './breakdown.tsx';
import { LogsCount } from './logs-count.tsx';
import styles from './panels.module.css';
import { todayQuery } from './queries.ts';
import { TodayFigures } from './today-figures.tsx';

/** Figures of today, each linked to its rows. */
export function Today() {
  const answer = useQuery(todayQuery);
  const { data: today } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading today');
  if (failure && today === undefined) return <Failure {...failure} />;
  return (
    <section className={styles.panel} aria-labelledby="today">
      <header className={styles.header}>
        <h2 id="today">Today</h2>
        {today && <span className={styles.explanation}>{formatTitleDay(today.date)}</span>}
      </header>
      <div className={styles.today}>
        <TodayFigures today={today} />
        {today && <Breakdowns today={today} />}
      </div>
    </section>
  );
}

function Breakdowns({ today }: { today: Facts }) {
  return (
    <>
      <Breakdown
        title="Refused by reason"
        none="Nothing was refused today."
        rows={today.refused_requests.map(({ reason, count }) => ({
          name: formatLabel(reason),
          count: <LogsCount day={today.date} count={count} part={{ status: 'refused', reason }} />,
        }))}
      />
      <Breakdown
        title="Failures by provider"
        none="No provider has failed today."
        rows={today.failing_providers.map(({ provider_instance_name: name, requests, errors }) => ({
          name,
          count: (
            <Link to="/admin/llm-providers">
              {formatCount(errors)} of {formatQuantity(requests, 'request')}
            </Link>
          ),
        }))}
      />
    </>
  );
}
