import type { UserStanding } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { Notice } from '../../components/ui/notice.tsx';
import { formatFullTime } from '../../lib/format-time.ts';
import { Belongings } from './belongings.tsx';
import { LimitUse } from './limit-use.tsx';
import { RecentRequests } from './recent-requests.tsx';

interface StandingProps {
  standing: UserStanding;
  userId: number;
}

const limitNames: Record<UserStanding['limits'][number]['kind'], { name: string; unit: string }> = {
  requests_per_hour: { name: 'This hour', unit: 'requests' },
  tokens_per_day: { name: 'Today', unit: 'tokens' },
  tokens_per_month: { name: 'This month', unit: 'tokens' },
};

/** Open appeal, limits, tasks and recent requests of a user. */
export function Standing({ standing, userId }: StandingProps) {
  const { open_appeal: appeal, limits } = standing;
  return (
    <>
      {appeal && (
        <Notice kind="warn" title="An appeal waits for a decision">
          <p>{appeal.message}</p>
          <p>
            <Link to="/admin/users" search={{ tab: 'appeals' }}>
              Decide the appeal
            </Link>{' '}
            of {formatFullTime(appeal.created_at)}
          </p>
        </Notice>
      )}
      <section aria-labelledby="user-usage">
        <h3 id="user-usage">Usage</h3>
        {limits.map(({ kind, resets_at, ...use }) => (
          <LimitUse key={kind} {...limitNames[kind]} {...use} resetsAt={resets_at} />
        ))}
      </section>
      <Belongings standing={standing} />
      <RecentRequests requests={standing.recent_requests} userId={userId} />
    </>
  );
}
