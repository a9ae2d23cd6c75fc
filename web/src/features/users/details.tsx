import type { User } from '@sluice/contract';
import type { ReactNode } from 'react';
import { Fact, FactList } from '../../components/ui/fact-list.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { QuotaBar } from '../../components/ui/quota-bar.tsx';
import { RoleBadge } from '../../components/ui/role-badge.tsx';
import { Time } from '../../components/ui/time.tsx';
import { formatCount, formatLimit } from '../../lib/format-number.ts';
import { formatFullTime } from '../../lib/format-time.ts';
import styles from './details.module.css';
import { UserStatusMarks } from './status.tsx';

/** All that the list knows of a user, and what the page adds: the API key. */
export function UserDetails({ user, apiKey }: { user: User; apiKey: ReactNode }) {
  return (
    <div className={styles.details}>
      {user.is_blocked && (
        <Notice kind="bad" title="Blocked">
          {user.blocked_reason ?? 'No reason was given.'}
        </Notice>
      )}
      <section aria-labelledby="user-usage">
        <h3 id="user-usage">Usage</h3>
        <Quota
          name="Today"
          used={user.current_daily_usage}
          held={user.held_daily_usage}
          limit={user.daily_quota}
        />
        <Quota
          name="This month"
          used={user.current_monthly_usage}
          held={user.held_monthly_usage}
          limit={user.monthly_quota}
        />
      </section>
      <section aria-labelledby="user-account">
        <h3 id="user-account">Account</h3>
        <FactList>
          <Fact name="Role">
            <RoleBadge name={user.role_name} />
          </Fact>
          <Fact name="Status">
            <UserStatusMarks user={user} />
          </Fact>
          <Fact name="Requests per hour">{formatLimit(user.requests_per_hour)}</Fact>
          <Fact name="Last login">
            {user.last_login === null ? 'Never' : <Time value={user.last_login} />}
          </Fact>
          <Fact name="Created">{formatFullTime(user.created_at)}</Fact>
          <Fact name="User ID">{user.id}</Fact>
        </FactList>
      </section>
      <section aria-labelledby="user-api-key">
        <h3 id="user-api-key">API key</h3>
        {apiKey}
      </section>
    </div>
  );
}

interface QuotaProps {
  name: string;
  used: number;
  /** Set aside for requests that are running; what they do not use comes back. */
  held: number;
  limit: number | null;
}

function Quota({ name, used, held, limit }: QuotaProps) {
  return (
    <div className={styles.quota}>
      <div className={`num ${styles.stats}`}>
        <span className={styles.period}>{name}</span>
        <span>
          <strong>{formatCount(used)}</strong>
          {limit === null ? ' tokens, unlimited' : ` of ${formatCount(limit)} tokens`}
        </span>
      </div>
      <QuotaBar used={used} limit={limit} />
      {held > 0 && (
        <p className={`num quiet ${styles.held}`}>{formatCount(held)} tokens held for running requests</p>
      )}
    </div>
  );
}
