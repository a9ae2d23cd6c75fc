import type { User } from '@sluice/contract';
import { NarrowOnly, RowLink, spendColumns, timeColumn } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { RoleBadge } from '#components/ui/badge.tsx';
import { DeviationScore } from '#components/ui/deviation-score.tsx';
import { SecondLine } from '#components/ui/lines.tsx';
import { QuotaBar } from '#components/ui/quota-bar.tsx';
import { MissingMark, StatusMark } from '#components/ui/status-mark.tsx';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount } from '#lib/format-number.ts';
import { scoreLevels } from '#lib/score-level.ts';
import styles from './columns.module.css';
import { describeNearLimits, isNearLimit, statusesOf } from './filter-users.ts';
import { UserStatus } from './status.tsx';
import usageCellStyles from './usage-cell.module.css';

export const usersColumns: readonly Column<User>[] = [
  {
    name: 'User',
    isPinned: true,
    isHideable: false,
    minWidth: '10rem',
    sortBy: ({ name }) => name,
    csv: ({ name, email }) => `${name} <${email}>`,
    cell: (user) => <Identity user={user} />,
  },
  {
    name: 'Quotas',
    width: '8.25rem',
    showFrom: 'medium',
    sortBy: ({ daily_quota }) => daily_quota ?? Number.MAX_VALUE,
    csv: (user) => describeQuotas(user),
    cell: (user) => <Quotas user={user} />,
  },
  {
    name: 'Usage',
    width: '10.25rem',
    showFrom: 'medium',
    sortBy: (user) => user.current_daily_usage,
    cell: (user) => <UsageCell user={user} />,
  },
  {
    name: 'Status',
    width: '5.75rem',
    showFrom: 'medium',
    sortBy: (user) => statusesOf(user).join(' and '),
    csv: ({ blocked_reason, ...user }) =>
      [statusesOf(user).join(' and '), blocked_reason].filter((part) => part !== null).join(': '),
    cell: (user) => <UserStatus user={user} />,
  },
  {
    name: 'Score',
    width: '6.5rem',
    align: 'end',
    showFrom: 'full',
    sortBy: ({ deviation_score }) => deviation_score,
    csv: ({ deviation_score }) => deviation_score,
    cell: ({ deviation_score }) => <DeviationScore score={deviation_score} />,
  },
  ...spendColumns<User>(),
  timeColumn('Created', ({ created_at }) => created_at, { width: '7rem' }),
];

function LimitMark({ user }: { user: User }) {
  const { kind, text } = describeNearLimits(user);
  return <StatusMark kind={kind}>{text}</StatusMark>;
}

function Identity({ user }: { user: User }) {
  return (
    <>
      <div className={styles.identity}>
        <RowLink id={user.id}>{user.name}</RowLink>
        {user.role_name !== 'user' && <RoleBadge name={user.role_name} />}
      </div>
      <SecondLine>{user.email}</SecondLine>
      <NarrowOnly>
        <UserStatus user={user} />
        <span className="num">{formatUsd(user.spend_usd_month)} this month</span>
      </NarrowOnly>
      {isNearLimit(user) && <LimitMark user={user} />}
      {user.deviation_score > scoreLevels.elevated && (
        <NarrowOnly until="full">
          <span>
            Score <DeviationScore score={user.deviation_score} />
          </span>
        </NarrowOnly>
      )}
      <MissingMark missing={user.missing} />
    </>
  );
}

function Quotas({ user }: { user: User }) {
  if (isUnlimited(user)) return <span className="quiet">Unlimited</span>;
  return (
    <div className="num" title="Tokens per day and per month, and requests per hour">
      {describeQuota(user.daily_quota, 'day')}
      <SecondLine>{describeQuota(user.monthly_quota, 'month')}</SecondLine>
      <SecondLine>{describeRate(user)}</SecondLine>
    </div>
  );
}

const isUnlimited = (user: User) =>
  [user.daily_quota, user.monthly_quota, user.requests_per_hour].every((quota) => quota === null);

const describeQuota = (quota: number | null, period: 'day' | 'month') =>
  quota === null ? `unlimited a ${period}` : `${formatCount(quota)} a ${period}`;

const describeRate = ({ requests_per_hour }: User) =>
  requests_per_hour === null ? 'unlimited requests' : `${formatCount(requests_per_hour)} requests/h`;

const describeQuotas = (user: User) =>
  `${describeQuota(user.daily_quota, 'day')}, ${describeQuota(user.monthly_quota, 'month')}, ${describeRate(user)}`;

function UsageCell({ user }: { user: User }) {
  return (
    <div className="num">
      <div className={usageCellStyles.period}>
        <QuotaBar used={user.current_daily_usage} limit={user.daily_quota} className={usageCellStyles.bar} />
        <span className={usageCellStyles.figure}>{formatCount(user.current_daily_usage)} today</span>
      </div>
      <div className={usageCellStyles.period}>
        <QuotaBar
          used={user.current_monthly_usage}
          limit={user.monthly_quota}
          className={usageCellStyles.bar}
        />
        <SecondLine>{formatCount(user.current_monthly_usage)} this month</SecondLine>
      </div>
    </div>
  );
}
