import type { ManagementToken } from '@sluice/contract';
import { NarrowOnly, timeColumn } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { Line, NameLine, SecondLine } from '#components/ui/lines.tsx';
import { Time } from '#components/ui/time.tsx';
import { formatQuantity } from '#lib/format-number.ts';
import { describeScopes } from './group-scopes.ts';
import { TokenState } from './state.tsx';

export const describeOwner = ({ user_kind, user_email }: ManagementToken): string =>
  user_kind === 'service' ? 'Service account' : user_email;

export const managementTokenColumns: readonly Column<ManagementToken>[] = [
  {
    name: 'Name',
    isPinned: true,
    isHideable: false,
    minWidth: '12rem',
    sortBy: ({ name }) => name,
    cell: (token) => (
      <>
        <NameLine title={token.name}>{token.name}</NameLine>
        <SecondLine>{token.masked_token}</SecondLine>
        <NarrowOnly>
          <SecondLine>{token.user_name}</SecondLine>
          <TokenState token={token} />
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Owner',
    width: '14rem',
    showFrom: 'medium',
    sortBy: ({ user_name }) => user_name,
    cell: (token) => (
      <>
        <Line title={token.user_name}>{token.user_name}</Line>
        <SecondLine title={describeOwner(token)}>{describeOwner(token)}</SecondLine>
      </>
    ),
  },
  {
    name: 'Scopes',
    width: '14rem',
    showFrom: 'wide',
    sortBy: ({ scopes }) => scopes.length,
    csv: ({ scopes }) => scopes.join(' '),
    cell: ({ scopes }) => (
      <>
        <Line title={describeScopes(scopes)}>{describeScopes(scopes)}</Line>
        <SecondLine>{formatQuantity(scopes.length, 'scope')}</SecondLine>
      </>
    ),
  },
  {
    name: 'Status',
    width: '11rem',
    showFrom: 'medium',
    sortBy: ({ expires_at }) => expires_at,
    cell: (token) => <TokenState token={token} />,
  },
  {
    name: 'Last used',
    width: '8.5rem',
    showFrom: 'medium',
    sortBy: ({ last_used_at }) => last_used_at,
    cell: ({ last_used_at }) => <LastUse at={last_used_at} />,
  },
  timeColumn('Created', ({ created_at }) => created_at),
];

function LastUse({ at }: { at: string | null }) {
  return at === null ? <span className="quiet">Never</span> : <Time value={at} isTabStop={false} />;
}
