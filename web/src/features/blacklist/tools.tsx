import type { BlacklistEntry } from '@sluice/contract';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportDialogButton } from '../../components/data-table/export-dialog-button.tsx';
import { ChoiceFilter } from '../../components/data-table/filter-bar.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import { formatCount } from '../../lib/format-number.ts';
import { providerNameOf } from '../../lib/provider-registry.ts';
import { blacklistExport } from './queries.ts';

interface BlacklistToolsProps {
  entries: readonly BlacklistEntry[] | undefined;
  model: DataTableModel<BlacklistEntry>;
  provider: string | undefined;
  onProvider: (provider: string | undefined) => void;
}

export function BlacklistTools({ entries = [], model, provider, onProvider }: BlacklistToolsProps) {
  const keys = new Set([...entries.map(({ provider_key }) => provider_key), ...(provider ? [provider] : [])]);
  return (
    <ListTools
      search={
        <FilterField state={model.state} label="Search the blacklist" placeholder="Search blacklist..." />
      }
      filters={
        <>
          <ChoiceFilter
            label="Provider"
            isLabelHidden
            everything="All Providers"
            options={[...keys].toSorted().map((key) => ({ value: key, label: providerNameOf(key) }))}
            value={provider}
            onChoose={onProvider}
          />
          {model.rows && (
            <p className="num quiet" role="status">
              Showing {formatCount(model.rows.length)} of {formatCount(entries.length)} entries
            </p>
          )}
        </>
      }
      choices={
        <>
          <ColumnChooser model={model} />
          <ExportDialogButton
            content={blacklistExport(
              { filter: model.state.search.filter, provider },
              model.rows?.length ?? 0,
            )}
          />
        </>
      }
    />
  );
}
