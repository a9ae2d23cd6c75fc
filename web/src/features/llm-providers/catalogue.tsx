import type { OfferedModel } from '@sluice/contract';
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
import { PeopleIcon } from '../../components/ui/action-icons.ts';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { CheapestModel } from './cheapest-model.tsx';
import { modelColumns } from './columns.tsx';
import { PermittedUsersDialog } from './permitted-users-dialog.tsx';
import { offeredModelsQuery } from './queries.ts';
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
