import type { UserStanding } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { type StatusKind, StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { formatLabel } from '#lib/format-label.ts';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import styles from './recent-requests.module.css';

type Request = UserStanding['recent_requests'][number];

interface RecentRequestsProps {
  requests: readonly Request[];
  userId: number;
}

/** Recent requests of a user, each linked to its log row. */
export function RecentRequests({ requests, userId }: RecentRequestsProps) {
  return (
    <section aria-labelledby="user-requests">
      <div className={styles.head}>
        <h3 id="user-requests">Recent requests</h3>
        {requests.length > 0 && (
          <Link to="/admin/logs" search={{ user: userId }}>
            All requests
          </Link>
        )}
      </div>
      {requests.length === 0 && <p className="quiet">No requests yet.</p>}
      <ul className={`num ${styles.requests}`}>
        {requests.map((request) => (
          <li key={request.id} className={styles.request}>
            <Link to="/admin/logs" search={{ user: userId, open: request.id }}>
              {request.model ?? 'No model'}
            </Link>
            <StatusMark kind={marks[request.status].kind}>{nameStatus(request)}</StatusMark>
            <span className="quiet">
              {request.total_tokens > 0 && `${formatQuantity(request.total_tokens, 'token')} · `}
              <Time value={request.timestamp} isTabStop={false} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const marks: Record<Request['status'], { kind: StatusKind; word: string }> = {
  success: { kind: 'ok', word: 'Success' },
  error: { kind: 'bad', word: 'Error' },
  client_closed: { kind: 'off', word: 'Client closed' },
  refused: { kind: 'warn', word: 'Refused' },
};

/** Describes the status of a request, for example `Refused: Policy blocked, 4 times`. */
function nameStatus({ status, error_code: reason, repeats }: Request): string {
  const why = reason === null ? '' : `: ${formatLabel(reason)}`;
  const times = repeats > 1 ? `, ${formatCount(repeats)} times` : '';
  return `${marks[status].word}${why}${times}`;
}
