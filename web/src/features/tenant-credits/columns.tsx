import { NarrowOnly } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { NameLine, SecondLine } from '#components/ui/lines.tsx';
import { type StatusKind, StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { formatLifetimeSpent, formatUsdExact } from '#lib/format-money.ts';
import type { TenantAccount } from './queries.ts';

const marks: Readonly<Record<TenantAccount['status'], { kind: StatusKind; text: string }>> = {
  active: { kind: 'ok', text: 'Active' },
  trial: { kind: 'pending', text: 'Trial' },
  suspended: { kind: 'bad', text: 'Suspended' },
};

function Status({ status }: Pick<TenantAccount, 'status'>) {
  const { kind, text } = marks[status] ?? { kind: 'off', text: 'Inactive' };
  return <StatusMark kind={kind}>{text}</StatusMark>;
}

export const tenantCreditsColumns: readonly Column<TenantAccount>[] = [
  {
    name: 'Tenant',
    isPinned: true,
    isHideable: false,
    sortBy: ({ name }) => name,
    csv: ({ name, slug }) => `${name} (@${slug})`,
    cell: (account) => (
      <>
        <NameLine>{account.name}</NameLine>
        <SecondLine>@{account.slug}</SecondLine>
        <NarrowOnly>
          {account.status !== 'active' && <Status status={account.status} />}
          <Balance account={account} />
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Status',
    width: '8rem',
    showFrom: 'wide',
    sortBy: ({ status }) => status,
    cell: ({ status }) => <Status status={status} />,
  },
  {
    name: 'Current Balance',
    width: '11rem',
    showFrom: 'medium',
    align: 'end',
    sortBy: ({ current_balance }) => current_balance,
    csv: ({ current_balance }) => formatUsdExact(current_balance, 4),
    cell: (account) => <Balance account={account} />,
  },
  {
    name: 'Lifetime Spent',
    width: '12rem',
    showFrom: 'medium',
    align: 'end',
    sortBy: ({ lifetime_spent }) => lifetime_spent,
    csv: ({ lifetime_spent }) => formatLifetimeSpent(lifetime_spent),
    cell: ({ lifetime_spent, current_balance }) => (
      <>
        <NameLine>{formatLifetimeSpent(lifetime_spent)}</NameLine>
        {/* The total includes bonuses and adjustments, unlike `lifetime_recharged`. */}
        <SecondLine>of {formatUsdExact(lifetime_spent + current_balance, 2)} total</SecondLine>
      </>
    ),
  },
  {
    name: 'Last Activity',
    width: '9rem',
    showFrom: 'wide',
    sortBy: ({ last_transaction_at }) => last_transaction_at ?? '',
    cell: ({ last_transaction_at }) =>
      last_transaction_at === null ? (
        <span className="quiet">Never</span>
      ) : (
        <Time value={last_transaction_at} isTabStop={false} />
      ),
  },
];

function Balance({
  account: { current_balance, is_low_balance, is_zero_balance },
}: {
  account: TenantAccount;
}) {
  const amount = <span className="num">{formatUsdExact(current_balance, 4)}</span>;
  if (is_zero_balance) return <StatusMark kind="bad">{amount} · Empty</StatusMark>;
  if (is_low_balance) return <StatusMark kind="warn">{amount} · Low</StatusMark>;
  return amount;
}
