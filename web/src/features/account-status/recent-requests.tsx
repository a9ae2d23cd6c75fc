import type { LogEntry } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failure } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { describeRequestStatus, requestStatusMarks, StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatScore, formatSigned } from '#lib/format-number.ts';
import { localizeInstants } from '#lib/format-time.ts';
import styles from './active-tasks.module.css';
import { recentRequestsQuery } from './queries.ts';
import { adviceOn } from './refusal-guide.ts';

export function RecentRequests() {
  const answer = useQuery(recentRequestsQuery);
  const failure = describeFailure(answer, 'Your last requests could not be loaded');
  const { data: requests } = answer;
  return (
    <section
      className={styles.panel}
      id="last-requests"
      aria-label="Last requests"
      aria-busy={answer.isPending}
    >
      <h2>Last requests</h2>
      {failure && <Failure {...failure} />}
      {!failure && !requests && <SkeletonLines count={3} />}
      {requests?.length === 0 && (
        <p className="quiet">
          You have sent no requests yet. <Link to="/dashboard/api-keys">Copy an example request</Link>
        </p>
      )}
      <ul className={styles.list}>
        {requests?.map((request) => (
          <li key={request.id}>
            <StatusMark kind={requestStatusMarks[request.status].kind}>
              {describeRequestStatus(request)}
            </StatusMark>
            <p className="quiet">
              {request.model ?? 'no model'} ·{' '}
              {request.cost !== null && <span className="num">{formatUsd(request.cost)} · </span>}
              <Time value={request.timestamp} />
            </p>
            <ScoreChange request={request} />
            {request.error_message !== null && <p>{localizeInstants(request.error_message)}</p>}
            {request.status === 'refused' && <Advice code={request.error_code} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Change of the user's deviation score, from 0 to 1. Only the score card uses another scale. */
function ScoreChange({ request }: { request: LogEntry }) {
  if (request.user_score_before === null || request.user_score_after === null) return null;
  const [before, after] = [
    formatScore(request.user_score_before, 3),
    formatScore(request.user_score_after, 3),
  ];
  if (before === after) return null;
  // Subtracts the displayed scores, so that the three displayed numbers add up.
  const delta = Number(after) - Number(before);
  return (
    <p className="quiet">
      Deviation score (0 to 1): {before} to {after},{' '}
      <span className={delta > 0 ? styles.rising : undefined}>{formatSigned(delta, 3)}</span>
    </p>
  );
}

function Advice({ code }: { code: string | null }) {
  const advice = adviceOn(code);
  return (
    advice && (
      <p className="quiet">
        Decided by {advice.decidedBy}. {advice.next}
      </p>
    )
  );
}
