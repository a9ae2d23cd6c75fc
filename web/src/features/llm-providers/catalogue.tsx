import { ApiError, type OfferedModel } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { NarrowOnly, spendColumns } from '#components/data-table/cells.tsx';
import { type Column, findByText } from '#components/data-table/column.ts';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ExportButton } from '#components/data-table/export-button.tsx';
import { FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import { SpendTotals } from '#components/data-table/spend-totals.tsx';
import { useDataTable } from '#components/data-table/use-data-table.ts';
import type { TableState } from '#components/data-table/use-table-state.ts';
import { NumberField } from '#components/forms/number-field.tsx';
import { PeopleIcon } from '#components/ui/action-icons.ts';
import { AlignedAmount } from '#components/ui/aligned-amount.tsx';
import { Line, SecondLine } from '#components/ui/lines.tsx';
import { Failure } from '#components/ui/notice.tsx';
import { ProviderName } from '#components/ui/provider-name.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { describeFailure, messageOf } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatRate, formatUsd } from '#lib/format-money.ts';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import { providerNameOf } from '#lib/provider-registry.ts';
import styles from './cheapest-model.module.css';
import { PermittedUsersDialog } from './permitted-users-dialog.tsx';
import { cheapestModelQuery, offeredModelsQuery } from './queries.ts';
import type { LlmProvidersSearch } from './search.ts';

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
          {(row.blacklist_reason !== null || row.permitted_users === null) && <Permitted {...row} />}
          <span>{row.provider_instance_name ?? row.provider_name}</span>
          <span className="num">{describePrices(row)}</span>
          {row.spend_usd_month > 0 && (
            <span className="num">{formatUsd(row.spend_usd_month)} this month</span>
          )}
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Provider',
    width: '15%',
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
  numberColumn('Context', '5.25rem', ({ pricing }) => pricing?.max_tokens ?? null, formatCount),
  priceColumn('Input / 1M', '5.75rem', ({ pricing }) => pricing?.price.input ?? null),
  priceColumn('Output / 1M', '6.5rem', ({ pricing }) => pricing?.price.output ?? null),
  {
    name: 'Capabilities',
    width: '18%',
    showFrom: 'wide',
    sortBy: describeAbilities,
    cell: (row) => <div className={styles.abilities}>{describeAbilities(row)}</div>,
  },
  {
    name: 'Permitted users',
    width: '7.25rem',
    showFrom: 'medium',
    sortBy: ({ permitted_users }) => permitted_users,
    cell: (row) => <Permitted {...row} />,
  },
  ...spendColumns<OfferedModel>(),
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

function priceColumn(
  name: string,
  width: string,
  read: (row: OfferedModel) => number | null,
): Column<OfferedModel> {
  return {
    ...numberColumn(name, width, read, formatRate),
    cell: (row) => {
      const price = read(row);
      if (price === null) return <span className="num">–</span>;
      return <AlignedAmount text={formatRate(price)} decimalsMax={3} />;
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
  return <span className="num">{formatQuantity(permitted_users, 'user')}</span>;
}

const scopes = [
  { value: 'enabled', label: 'Enabled' },
  { value: 'listed', label: 'All known' },
] as const;

export function ModelCatalogue({ state }: { state: TableState<LlmProvidersSearch> }) {
  const { filter, scope = 'enabled' } = state.search;
  const answer = useQuery(offeredModelsQuery(scope));
  const [asked, setAsked] = useState<{ model: string; isOpen: boolean }>({ model: '', isOpen: false });
  const text = String(filter ?? '');
  const rows = useMemo(() => answer.data && findModels(answer.data, text), [answer.data, text]);
  const model = useDataTable({ columns: modelColumns, rows, rowKey, state, filteredBy: 'caller' });
  const ask = useMemo(() => (row: OfferedModel) => setAsked({ model: nameAt(row), isOpen: true }), []);
  return (
    <>
      <CheapestModel />
      <ListTools
        search={<FilterField state={state} label="Search models" placeholder="Search models..." />}
        filters={
          <SegmentedSwitch
            label="Models shown"
            options={scopes}
            value={scope}
            onChange={(chosen) => state.change({ scope: chosen === 'listed' ? 'listed' : undefined })}
          />
        }
        choices={
          <>
            <ColumnChooser model={model} />
            <ExportButton model={model} noun="models" />
          </>
        }
        totals={<SpendTotals rows={rows} noun="model" />}
      />
      <ListView
        model={model}
        label="Models"
        loadingText="Loading models..."
        emptyText={text === '' ? 'No active provider enables a model' : 'No models found'}
        failure={describeFailure(answer, 'Failed to load models')}
        actions={useMemo(() => [grantsAction(ask)], [ask])}
        nameOf={nameAt}
      />
      <PermittedUsersDialog {...asked} onClose={() => setAsked((before) => ({ ...before, isOpen: false }))} />
    </>
  );
}

const grantsAction = (run: (row: OfferedModel) => void): RowAction<OfferedModel> => ({
  name: 'Who may use it',
  icon: PeopleIcon,
  run,
  isFrequent: true,
  obstacle: ({ llm_provider_id }) => (llm_provider_id === null ? 'No active provider enables it' : null),
});

const rowKey = ({ provider_key, llm_provider_id, model }: OfferedModel) =>
  `${llm_provider_id ?? provider_key} ${model}`;

/** Returns the model name that routes a request to this instance. */
const nameAt = ({ provider_instance_name, model }: OfferedModel) =>
  provider_instance_name === null ? model : `${provider_instance_name}/${model}`;

const byOrigin = (one: OfferedModel, other: OfferedModel) =>
  Number(one.provider_key === 'sandbox') - Number(other.provider_key === 'sandbox');

/** Sandbox models come last. */
const findModels = (models: readonly OfferedModel[], text: string) =>
  findByText(models.toSorted(byOrigin), text, (row) => [
    row.model,
    row.provider_name,
    row.provider_key,
    row.provider_instance_name,
    ...row.aliases,
    ...row.abilities,
  ]);

export function CheapestModel() {
  const [minTokens, setMinTokens] = useState<number | string | null>(4_000);
  const isNumber = typeof minTokens === 'number';
  const answer = useQuery({ ...cheapestModelQuery(isNumber ? minTokens : 0), enabled: isNumber });
  const { data, error } = answer;
  const isNone = error instanceof ApiError && error.status === 404;
  const failure = isNone ? null : describeFailure(answer, 'The cheapest model could not be found');
  return (
    <section className={styles.cheapest} aria-label="Cheapest model that fits">
      <NumberField
        label="Cheapest model with a context window of at least (tokens)"
        emptyMeans="unlimited"
        placeholder="4,000"
        step={1_000}
        value={minTokens}
        onChange={(value) => setMinTokens(value ?? null)}
      />
      <p role="status" className={styles.answer}>
        {isNumber && data && !error && (
          <>
            <strong>
              <code>{data.model}</code>
            </strong>{' '}
            <span className="num quiet">
              {providerNameOf(data.provider)}, {formatRate(data.price.input)} in and{' '}
              {formatRate(data.price.output)} out per million tokens
              {data.max_tokens !== null && `, context of ${formatCount(data.max_tokens)}`}
            </span>
          </>
        )}
        {isNone && <span className="quiet">{messageOf(error, 'No model was found')}</span>}
      </p>
      {failure && <Failure {...failure} />}
    </section>
  );
}
