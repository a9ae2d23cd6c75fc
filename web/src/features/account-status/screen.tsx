import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { Appeal, CurrentUser } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failure, Notice } from '#components/ui/notice.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { QuotaBar } from '#components/ui/quota-bar.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { Snippet } from '#components/ui/snippet.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { CostAndRemaining, ForecastNotice } from '#features/forecast/index.ts';
import { quotaStatusQuery } from '#lib/account-status.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatUse } from '#lib/format-number.ts';
import { formatZonedTime } from '#lib/format-time.ts';
import { isAdministrator, mayAdminister } from '#lib/home-path.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { describeNoTasks, noTasksTitle } from '#lib/no-tasks.ts';
import { isOpenTask, userTasksQuery } from '#lib/user-tasks.ts';
import activeTasksStyles from './active-tasks.module.css';
import noticesStyles from './notices.module.css';
import { ownAppealsQuery } from './queries.ts';
import { RecentRequests } from './recent-requests.tsx';
import styles from './screen.module.css';
import { describeRefusal, isReached, quotaNames, SetupNotices } from './setup-notices.tsx';
import { QuickStats, StatusCards } from './status-cards.tsx';

/** Loaded on demand, because only blocked users see the form. */
const AppealForm = lazyPart(() => import('./appeal-form.tsx'), 'AppealForm');

const newsMs = 7 * 24 * 3_600_000;

/** Shown to users who are blocked or close to it. */
function AccountStatus() {
  const { data: status } = useQuery(quotaStatusQuery);
  const blockedAt = status?.blocked_at;
  const { data: appeals } = useQuery(ownAppealsQuery(blockedAt));
  if (!status) return null;
  const { blocked_status: blockedText, high_deviation_score: highText } = status.warnings;
  const [latest] = appeals ?? [];
  if (blockedText === null) {
    const isNews = latest?.decided_at && Date.now() - Date.parse(latest.decided_at) < newsMs;
    return (
      <div className={noticesStyles.notices} role="status">
        {highText !== null && <Notice kind="warn" title={highText} />}
        {isNews && latest.status === 'granted' && <AppealNotice appeal={latest} />}
      </div>
    );
  }
  const own = latest && blockedAt && latest.created_at > blockedAt ? latest : undefined;
  return (
    <section className={noticesStyles.notices} aria-label="Account status">
      <div role="status">
        <Notice kind="bad" title={blockedText}>
          {status.blocked_reason && `Reason: ${status.blocked_reason}`}
        </Notice>
        {highText !== null && <Notice kind="warn" title={highText} />}
      </div>
      {own && <AppealNotice appeal={own} />}
      {appeals && !own && <AppealForm />}
    </section>
  );
}

const shownMax = 3;

function ActiveTasks({ mayAssign }: { mayAssign: boolean }) {
  const answer = useQuery(userTasksQuery);
  const failure = describeFailure(answer, 'Failed to load tasks. Please try again.');
  const active = answer.data?.filter(isOpenTask);
  return (
    <section className={activeTasksStyles.panel} aria-label="Active tasks" aria-busy={answer.isPending}>
      <div className={activeTasksStyles.head}>
        <h2>Active tasks</h2>
        <span>
          <Link to="/dashboard/tasks">View all tasks</Link>
        </span>
      </div>
      {failure && <Failure {...failure} />}
      {!failure && !active && <SkeletonLines count={3} />}
      {active?.length === 0 && (
        <p className="quiet">
          {answer.data?.length === 0 ? noTasksTitle : 'No active tasks'}. {describeNoTasks(mayAssign)}{' '}
          {mayAssign && <Link to="/admin/tasks">Open Task Management</Link>}
        </p>
      )}
      <ul className={activeTasksStyles.list}>
        {active
          ?.slice(0, shownMax)
          .map(({ id, task_title, task_category, tokens_used, token_limit, spend_usd_month }) => (
            <li key={id}>
              <div className={activeTasksStyles.head}>
                <strong>{task_title}</strong>
                <span className="quiet">{formatLabel(task_category)}</span>
              </div>
              <QuotaBar used={tokens_used} limit={token_limit} />
              <p className="num quiet">
                Total: {formatUse(tokens_used, token_limit, 'tokens')} · {formatUsd(spend_usd_month)} this
                month
              </p>
              {token_limit !== null && tokens_used >= token_limit && (
                <p>
                  <StatusMark kind="bad">Used up</StatusMark>. Requests for this task are refused. Your
                  administrator can raise its limit.
                </p>
              )}
            </li>
          ))}
      </ul>
    </section>
  );
}

export function DashboardScreen({ user }: { user: CurrentUser }) {
  useDocumentTitle('Dashboard · Sluice');
  return (
    <>
      <PageHeader title={`Welcome, ${user.name}`} subtitle={`${user.email} · ${user.tenant.name}`} />
      <AccountStatus />
      <SetupNotices needsTask={!isAdministrator(user)} />
      <div className={styles.forecast}>
        <ForecastNotice timeZone={user.tenant.time_zone} />
      </div>
      <StatusCards />
      <div className={styles.money}>
        <CostAndRemaining />
      </div>
      <div className={styles.columns}>
        <ActiveTasks mayAssign={mayAdminister(user)} />
        <Limits />
        <RecentRequests />
      </div>
      <QuickStats />
      <div className={styles.notes}>
        <p>
          Use the base URL below in any OpenAI client, with your API key.{' '}
          <Link to="/dashboard/api-keys">Copy an example request</Link>
        </p>
        <Snippet title="Base URL" text={`${window.location.origin}/api/v1`} />
        <p className="quiet">
          Every request is logged. Administrators of {user.tenant.name} can see your requests in the console.
        </p>
        {mayAdminister(user) && (
          <div>
            <Button component={Link} to="/admin" variant="default">
              Open the admin console
            </Button>
          </div>
        )}
      </div>
    </>
  );
}

function AppealNotice({ appeal: { status, created_at, decided_at, note } }: { appeal: Appeal }) {
  if (status === 'open') {
    return (
      <p>
        <StatusMark kind="pending">You appealed</StatusMark> <Time value={created_at} />. An administrator
        will decide. The decision appears here.
      </p>
    );
  }
  return (
    <p>
      <StatusMark kind={status === 'granted' ? 'ok' : 'off'}>Your appeal was {status}</StatusMark>{' '}
      {decided_at !== null && <Time value={decided_at} />}
      {note !== null && `: ${note}`}
    </p>
  );
}

function Limits() {
  const { data: status } = useQuery(quotaStatusQuery);
  return (
    <section className={activeTasksStyles.panel} aria-label="Limits">
      <h2>Limits</h2>
      {!status && <SkeletonLines count={3} />}
      <ul className={activeTasksStyles.list}>
        {status &&
          quotaNames.map(([kind, name]) => {
            const quota = status.quotas[kind];
            const { used, limit, resets_at } = quota;
            return (
              <li key={kind}>
                <div className={activeTasksStyles.head}>
                  <span>{name}</span>
                  <span className="num">{formatUse(used, limit)}</span>
                </div>
                <QuotaBar used={used} limit={limit} />
                {isReached(quota) ? (
                  <p className="num">
                    <StatusMark kind="bad">Reached</StatusMark>: {describeRefusal(quota)}. Your administrator
                    set this limit and can raise it.
                  </p>
                ) : (
                  <p className="num quiet">Resets {formatZonedTime(resets_at)}</p>
                )}
              </li>
            );
          })}
      </ul>
    </section>
  );
}
