import type { OfferedModel } from '@sluice/contract';
import { NarrowOnly } from '../../components/data-table/cells.tsx';
import type { Column } from '../../components/data-table/column.ts';
import { Line, SecondLine } from '../../components/ui/lines.tsx';
import { ProviderName } from '../../components/ui/provider-name.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatLabel } from '../../lib/format-label.ts';
import { formatRate } from '../../lib/format-money.ts';
import { formatPeople, formatTokens } from '../../lib/format-number.ts';

/** Columns of the model list; prices are per million tokens, without markup. */
export const modelColumns: readonly Column<OfferedModel>[] = [
  {
    name: 'Model',
    isPinned: true,
    isHideable: false,
    sortBy: ({ model }) => model,
    cell: (row) => (
      <>
        <Line title={row.model}>
          <code>{row.model}</code>
        </Line>
        {row.aliases.length > 0 && <SecondLine>also {row.aliases.join(', ')}</SecondLine>}
        <NarrowOnly>
          <span>{row.provider_instance_name ?? row.provider_name}</span>
          <span className="num">{describePrices(row)}</span>
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Provider',
    width: '17%',
    showFrom: 'medium',
    sortBy: ({ provider_name }) => provider_name,
    cell: (row) => (
      <>
        <ProviderName providerKey={row.provider_key} />
        {row.provider_instance_name !== null && <SecondLine>{row.provider_instance_name}</SecondLine>}
      </>
    ),
    csv: ({ provider_name, provider_instance_name }) =>
      provider_instance_name === null ? provider_name : `${provider_name}: ${provider_instance_name}`,
  },
  numberColumn('Context', '6rem', ({ pricing }) => pricing?.max_tokens ?? null, formatTokens),
  numberColumn('Input / 1M', '7rem', ({ pricing }) => pricing?.price.input ?? null, formatRate),
  numberColumn('Output / 1M', '7.5rem', ({ pricing }) => pricing?.price.output ?? null, formatRate),
  {
    name: 'Can do',
    width: '18%',
    showFrom: 'wide',
    sortBy: describeAbilities,
    cell: (row) => <Line title={describeAbilities(row)}>{describeAbilities(row)}</Line>,
  },
  {
    name: 'May use it',
    width: '9rem',
    showFrom: 'medium',
    sortBy: ({ permitted_users }) => permitted_users,
    cell: (row) => <Permitted {...row} />,
  },
];

function numberColumn(
  name: string,
  width: string,
  read: (row: OfferedModel) => number | null,
  format: (value: number) => string,
): Column<OfferedModel> {
  return {
    name,
    width,
    align: 'end',
    showFrom: 'medium',
    sortBy: read,
    cell: (row) => {
      const value = read(row);
      return <span className="num">{value === null ? '–' : format(value)}</span>;
    },
  };
}

function describePrices({ pricing }: OfferedModel): string {
  if (pricing === null) return 'No price is known';
  return `${formatRate(pricing.price.input)} in, ${formatRate(pricing.price.output)} out / 1M`;
}

function describeAbilities({ abilities }: OfferedModel): string {
  return abilities.map(formatLabel).join(', ');
}

function Permitted({ permitted_users, blacklist_reason }: OfferedModel) {
  if (blacklist_reason !== null) return <StatusMark kind="bad">Blacklisted</StatusMark>;
  if (permitted_users === null) return <span className="quiet">Not enabled</span>;
  return <span className="num">{formatPeople(permitted_users)}</span>;
}
