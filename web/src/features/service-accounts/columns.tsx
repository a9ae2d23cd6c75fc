import type { ServiceAccount } from '@sluice/contract';
import { NarrowOnly } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { Line, SecondLine } from '#components/ui/lines.tsx';
import { MissingMark, StatusMark } from '#components/ui/status-mark.tsx';
import { Time } from '#components/ui/time.tsx';
import { formatUsd } from '#lib/format-money.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { formatRelative } from '#lib/format-time.ts';
import { useNow } from '#lib/use-now.ts';

export const ownerOf = ({ team_name }: ServiceAccount): string => team_name ?? 'Organization';

export const serviceAccountColumns: readonly Column<ServiceAccount>[] = [
  {
    name: 'Name',
    isPinned: true,
    isHideable: false,
    minWidth: '14rem',
    sortBy: ({ name }) => name,
    cell: (account) => (
      <>
        <Line title={account.name}>{account.name}</Line>
        <SecondLine>{ownerOf(account)}</SecondLine>
        <NarrowOnly>
          <AccountState account={account} />
          <MissingMark missing={account.missing} />
          <SecondLine>{describeCredentials(account)}</SecondLine>
          {account.keys_expire_at !== null && <KeyExpiry at={account.keys_expire_at} />}
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Status',
    width: '9rem',
    showFrom: 'medium',
    sortBy: stateOf,
    csv: stateOf,
    cell: (account) => (
      <>
        <AccountState account={account} />
        <MissingMark missing={account.missing} />
      </>
    ),
  },
  {
    name: 'Keys',
    width: '15rem',
    showFrom: 'medium',
    sortBy: ({ keys_count }) => keys_count,
    cell: (account) => (
      <>
        <Line>{describeCredentials(account)}</Line>
        {account.keys_expire_at !== null && <KeyExpiry at={account.keys_expire_at} />}
      </>
    ),
  },
  {
    name: 'Last used',
    width: '9rem',
    showFrom: 'medium',
    sortBy: ({ last_used_at }) => last_used_at,
    cell: ({ last_used_at }) =>
      last_used_at === null ? <span className="quiet">Never</span> : <Time value={last_used_at} />,
  },
  {
    name: 'Cost this month',
    width: '9rem',
    align: 'end',
    showFrom: 'wide',
    sortBy: ({ spend_usd_month }) => spend_usd_month,
    cell: ({ spend_usd_month }) => <span className="num">{formatUsd(spend_usd_month)}</span>,
  },
];

function describeCredentials({ keys_count, tokens_count }: ServiceAccount): string {
  const tokens = tokens_count > 0 ? `, ${formatQuantity(tokens_count, 'token')}` : '';
  return `${formatQuantity(keys_count, 'key')}${tokens}`;
}

const soonMs = 7 * 86_400_000;

export function KeyExpiry({ at }: { at: string }) {
  const nowMs = useNow();
  const text = `Next key expires ${formatRelative(at, nowMs)}`;
  return Date.parse(at) - nowMs < soonMs ? (
    <StatusMark kind="warn">{text}</StatusMark>
  ) : (
    <SecondLine>{text}</SecondLine>
  );
}

function stateOf({ is_active, is_blocked }: ServiceAccount): string {
  if (!is_active) return 'Inactive';
  return is_blocked ? 'Blocked' : 'Active';
}

export function AccountState({ account }: { account: ServiceAccount }) {
  const kind = !account.is_active ? 'off' : account.is_blocked ? 'bad' : 'ok';
  return <StatusMark kind={kind}>{stateOf(account)}</StatusMark>;
}
