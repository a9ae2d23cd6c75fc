import type { OwnApiKey, QuotaStatus } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Notice } from '#components/ui/notice.tsx';
import { quotaStatusQuery } from '#lib/account-status.ts';
import { formatDay, formatZonedTime } from '#lib/format-time.ts';
import { useOwnModels } from '#lib/own-account.ts';
import { ownApiKeyQuery } from '#lib/own-api-key.ts';
import { isOpenTask, userTasksQuery } from '#lib/user-tasks.ts';
import styles from './notices.module.css';

export const quotaNames: readonly [keyof QuotaStatus['quotas'], string][] = [
  ['requests_per_hour', 'Requests this hour'],
  ['tokens_per_day', 'Tokens today'],
  ['tokens_per_month', 'Tokens this month'],
];

type Quota = QuotaStatus['quotas']['tokens_per_day'];

export const isReached = ({ used, limit }: Quota): boolean => limit !== null && used >= limit;

/** Example: `requests are refused until Nov 24, 12:00 AM UTC`. A limit of 0 never resets. */
export const describeRefusal = ({ limit, resets_at }: Quota): string =>
  limit === 0 ? 'requests are refused' : `requests are refused until ${formatZonedTime(resets_at)}`;

/** Explains missing setup that makes requests fail, who can fix it, and how. */
export function SetupNotices({ needsTask }: { needsTask: boolean }) {
  const { data: own } = useQuery(ownApiKeyQuery);
  const apiKey = own?.apiKey;
  const { models } = useOwnModels();
  const { data: tasks } = useQuery(userTasksQuery);
  const { data: status } = useQuery(quotaStatusQuery);
  const reached = quotaNames.filter(([kind]) => status && isReached(status.quotas[kind]));
  const hasTask = tasks?.some(isOpenTask);
  const keyProblem = apiKey === undefined ? null : findKeyProblem(apiKey);
  return (
    <div className={styles.notices}>
      {status &&
        reached.map(([kind, name]) => (
          <Notice
            key={kind}
            kind="bad"
            title={`${name}: your limit is reached, ${describeRefusal(status.quotas[kind])}.`}
          >
            Your administrator set this limit and can raise it.
          </Notice>
        ))}
      {keyProblem && (
        <Notice kind="warn" title={keyProblem}>
          Ask your administrator for {apiKey === null ? 'one' : 'a new one'}.{' '}
          <Link to="/dashboard/api-keys">Your key</Link>
        </Notice>
      )}
      {models?.length === 0 && (
        <Notice kind="warn" title="You do not have access to any model yet.">
          Ask your administrator for access. Until then, every request is refused.
        </Notice>
      )}
      {needsTask && hasTask === false && (
        <Notice kind="warn" title="You have no active task.">
          Every request needs a task. Ask your administrator to assign one to you. Until then, every request
          is refused.
        </Notice>
      )}
    </div>
  );
}

function findKeyProblem(apiKey: OwnApiKey | null): string | null {
  if (apiKey === null) return 'You have no API key yet.';
  if (!apiKey.is_active) return 'Your API key was revoked. Requests with it are refused.';
  if (!apiKey.is_expired || apiKey.expires_at === null) return null;
  return `Your API key expired on ${formatDay(apiKey.expires_at)}. Requests with it are refused.`;
}
