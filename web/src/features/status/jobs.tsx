import type { JobRun } from '@sluice/contract';
import { PanelList } from '../../components/ui/panel-list.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { Time } from '../../components/ui/time.tsx';
import { formatLabel } from '../../lib/format-label.ts';
import { formatQuantity } from '../../lib/format-number.ts';
import { formatDuration } from '../../lib/format-time.ts';
import styles from './screen.module.css';

/** How each job last went, on whatever node. */
export function JobRuns({ jobs }: { jobs: readonly JobRun[] }) {
  return (
    <section aria-labelledby="jobs">
      <h2 id="jobs">Jobs</h2>
      {jobs.length === 0 && <p className={styles.quiet}>No job has run yet.</p>}
      <PanelList label="Jobs" items={jobs} noun="jobs">
        {(job) => (
          <li key={job.name} className={styles.item}>
            <span>{formatLabel(job.name.replaceAll('-', '_'))}</span>
            <span className="num">
              <StatusMark kind={job.last_error === null ? 'ok' : 'bad'}>
                {job.last_error === null ? 'Went well' : 'Failed'}
              </StatusMark>{' '}
              <Time value={job.started_at} isTabStop={false} />{' '}
              <span className={styles.quiet}>
                {job.last_error === null && `in ${formatDuration(job.duration_ms)}`}
                {job.failures > 0 && ` · failed ${formatQuantity(job.failures, 'time')} so far`}
              </span>
            </span>
            {job.last_error !== null && <span className={styles.error}>{job.last_error}</span>}
          </li>
        )}
      </PanelList>
    </section>
  );
}
