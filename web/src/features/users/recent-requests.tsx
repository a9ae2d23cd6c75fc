import type { UserStanding } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { describeRequestStatus, requestStatusMarks, StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { formatQuantity } from '#lib/format-number.ts';
import styles from './recent-requests.module.css';

type Request = UserStanding['recent_requests'][number];

interface RecentRequestsProps {
  requests: readonly Request[];
  userId: number;
}

/** Each request links to its log row. */
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
            <StatusMark kind={requestStatusMarks[request.status].kind}>
              {describeRequestStatus(request)}
            </StatusMark>
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
