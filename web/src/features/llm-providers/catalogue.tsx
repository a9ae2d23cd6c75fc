import { ApiError, type OfferedModel } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportButton } from '../../components/data-table/export-button.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { findByText } from '../../components/data-table/find-by-text.ts';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import { ListView } from '../../components/data-table/list-view.tsx';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { useDataTable } from '../../components/data-table/use-data-table.ts';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { NumberField } from '../../components/forms/number-field.tsx';
import { PeopleIcon } from '../../components/ui/action-icons.ts';
import { Failure } from '../../components/ui/failure.tsx';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatRate } from '../../lib/format-money.ts';
import { formatTokens } from '../../lib/format-number.ts';
import { messageOf } from '../../lib/message-of.ts';
import { providerNameOf } from '../../lib/provider-registry.ts';
import styles from './cheapest-model.module.css';
import { modelColumns } from './columns.tsx';
import { PermittedUsersDialog } from './permitted-users-dialog.tsx';
import { cheapestModelQuery, offeredModelsQuery } from './queries.ts';
import type { LlmProvidersSearch } from './search.ts';

const scopes = [
  { value: 'enabled', label: 'Enabled' },
  { value: 'listed', label: 'All known' },
] as const;

/** Models with price, context size, capabilities and permitted users. */
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
            label="Which models"
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
      />
      <ListView
        model={model}
        label="Models"
        loadingText="Loading models..."
        emptyText={text === '' ? 'No active provider enables a model' : 'No models found'}
        failure={describeFailure(answer, 'Failed to load models')}
        actions={useMemo(() => [whoMayUse(ask)], [ask])}
        nameOf={nameAt}
      />
      <PermittedUsersDialog {...asked} onClose={() => setAsked((before) => ({ ...before, isOpen: false }))} />
    </>
  );
}

const whoMayUse = (run: (row: OfferedModel) => void): RowAction<OfferedModel> => ({
  name: 'Who may use it',
  icon: PeopleIcon,
  run,
  isInline: true,
  obstacle: ({ llm_provider_id }) => (llm_provider_id === null ? 'No active provider enables it' : null),
});

const rowKey = ({ provider_key, llm_provider_id, model }: OfferedModel) =>
  `${llm_provider_id ?? provider_key} ${model}`;

/** Returns the name by which a request addresses the model at this instance. */
const nameAt = ({ provider_instance_name, model }: OfferedModel) =>
  provider_instance_name === null ? model : `${provider_instance_name}/${model}`;

const findModels = (models: readonly OfferedModel[], text: string) =>
  findByText(models, text, (row) => [
    row.model,
    row.provider_name,
    row.provider_key,
    row.provider_instance_name,
    ...row.aliases,
    ...row.abilities,
  ]);

/** Finds the cheapest enabled model with a given context size. */
export function CheapestModel() {
  const [minTokens, setMinTokens] = useState<number | null>(4_000);
  const answer = useQuery({ ...cheapestModelQuery(minTokens ?? 0), enabled: minTokens !== null });
  const { data, error } = answer;
  const isNone = error instanceof ApiError && error.status === 404;
  const failure = isNone ? null : describeFailure(answer, 'The cheapest model could not be found');
  return (
    <section className={styles.cheapest} aria-label="Cheapest model that fits">
      <NumberField
        label="Cheapest model that fits, in tokens"
        emptyMeans="unlimited"
        placeholder="4000"
        step={1_000}
        value={minTokens ?? ''}
        onChange={(value) => setMinTokens(typeof value === 'number' ? value : null)}
      />
      <p role="status" className={styles.answer}>
        {minTokens !== null && data && !error && (
          <>
            <strong>
              <code>{data.model}</code>
            </strong>{' '}
            <span className="num quiet">
              {providerNameOf(data.provider)}, {formatRate(data.price.input)} in and{' '}
              {formatRate(data.price.output)} out for a million tokens
              {data.max_tokens !== null && `, holds ${formatTokens(data.max_tokens)}`}
            </span>
          </>
        )}
        {isNone && <span className="quiet">{messageOf(error, 'No model was found')}</span>}
      </p>
      {failure && <Failure {...failure} />}
    </section>
  );
}
