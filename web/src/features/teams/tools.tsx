import type { Team } from '@sluice/contract';
import { ActiveFilter } from '../../components/data-table/active-filter.tsx';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportButton } from '../../components/data-table/export-button.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { type ActiveStatus, countByStatus } from '../../lib/active-status.ts';

/** Number of teams and of active ones. */
export function TeamStats({ teams }: { teams: readonly Team[] | undefined }) {
  const counts = teams && countByStatus(teams);
  return (
    <StatStrip
      label="Teams by status"
      stats={[
        { label: 'Total Teams', value: counts?.total },
        { label: 'Active Teams', value: counts?.active },
        { label: 'Inactive Teams', value: counts?.inactive },
      ]}
    />
  );
}

interface TeamToolsProps {
  model: DataTableModel<Team>;
  status: ActiveStatus | undefined;
  onStatus: (status: ActiveStatus | undefined) => void;
}

export function TeamTools({ model, status, onStatus }: TeamToolsProps) {
  return (
    <ListTools
      search={
        <FilterField
          state={model.state}
          label="Search teams"
          placeholder="Search by name or description..."
        />
      }
      filters={<ActiveFilter value={status} onChoose={onStatus} />}
      choices={
        <>
          <ColumnChooser model={model} />
          <ExportButton model={model} noun="teams" />
        </>
      }
    />
  );
}
