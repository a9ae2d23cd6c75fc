import type { User } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from '../../components/ui/failure.tsx';
import { Notice } from '../../components/ui/notice.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { AccountFacts } from './account-facts.tsx';
import styles from './details.module.css';
import { PermittedModels } from './permitted-models.tsx';
import { Standing } from './standing.tsx';
import { userStandingQuery } from './standing-queries.ts';
import { ScoreTrend } from './trend.tsx';

/** Details of a user, with the API key passed in by the page. */
export function UserDetails({ user, apiKey }: { user: User; apiKey: ReactNode }) {
  const answer = useQuery(userStandingQuery(user.id));
  const { data: standing } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading what the user did');
  return (
    <div className={styles.details}>
      {user.is_blocked && (
        <Notice kind="bad" title="Blocked">
          {user.blocked_reason ?? 'No reason was given.'}
        </Notice>
      )}
      <ScoreTrend user={user} />
      {failure && <Failure {...failure} />}
      {standing && <Standing standing={standing} userId={user.id} />}
      {!standing && !failure && <SkeletonLines count={8} />}
      <PermittedModels userId={user.id} />
      <AccountFacts user={user} />
      <section aria-labelledby="user-api-key">
        <h3 id="user-api-key">API key</h3>
        {apiKey}
      </section>
    </div>
  );
}
