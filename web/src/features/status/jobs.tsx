import type { Job } from '@sluice/contract';
import { RunIcon } from '../../components/ui/action-icons.ts';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { PanelList } from '../../components/ui/panel-list.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { Time } from '../../components/ui/time.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { formatLabel } from '../../lib/format-label.ts';
import { formatQuantity } from '../../lib/format-number.ts';
import { formatDuration } from '../../lib/format-time.ts';
import { messageOf } from '../../lib/message-of.ts';
import { useRunJob } from './queries.ts';
import styles from './screen.module.css';

/** All jobs with their last and next run, on any node. */
export function Jobs({ jobs }: { jobs: readonly Job[] }) {
  return (
    <section aria-labelledby="jobs">
      <h2 id="jobs">Jobs</h2>
      {jobs.length === 0 && <p className={styles.quiet}>No job is planned yet.</p>}
      <PanelList label="Jobs" items={jobs} noun="jobs">
        {(job) => (
          <li key={job.name} className={styles.item}>
            <span>{labelOf(job)}</span>
            <span className="num">
              <LastRun job={job} /> <RunButton job={job} />
            </span>
            {job.last_error !== null && <span className={styles.error}>{job.last_error}</span>}
          </li>
        )}
      </PanelList>
    </section>
  );
}

const labelOf = ({ name }: Job) => formatLabel(name.replaceAll('-', '_'));

function LastRun({ job }: { job: Job }) {
  const { duration_ms, failures, last_error, next_at, started_at } = job;
  const hasFailed = last_error !== null;
  return (
    <>
      {job.is_running && <StatusMark kind="pending">Running</StatusMark>}
      {!job.is_running && started_at === null && <StatusMark kind="pending">Not run yet</StatusMark>}
      {!job.is_running && started_at !== null && (
        <StatusMark kind={hasFailed ? 'bad' : 'ok'}>{hasFailed ? 'Failed' : 'Succeeded'}</StatusMark>
      )}{' '}
      {started_at !== null && <Time value={started_at} isTabStop={false} />}{' '}
      <span className={styles.quiet}>
        {!hasFailed && duration_ms !== null && `in ${formatDuration(duration_ms)}`}
        {failures > 0 && ` · failed ${formatQuantity(failures, 'time')} so far`}
        {hasFailed && next_at !== null && ' · next attempt '}
      </span>
      {hasFailed && next_at !== null && <Time value={next_at} isTabStop={false} />}
    </>
  );
}

function RunButton({ job }: { job: Job }) {
  const { mutate: run, isPending } = useRunJob();
  return (
    <IconButton
      label={`Run ${labelOf(job)} now`}
      icon={RunIcon}
      disabled={isPending || job.is_running}
      onClick={() =>
        run(job.name, {
          onSuccess: () => showSuccess(`${labelOf(job)} starts within 5 seconds`),
          onError: (error) => showError(messageOf(error, 'Failed to run the job')),
        })
      }
    />
  );
}
