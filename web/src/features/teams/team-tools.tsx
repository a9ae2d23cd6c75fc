import type { Team } from '@sluice/contract';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportButton } from '../../components/data-table/export-button.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { formatCount } from '../../lib/format-number.ts';
import { countTeams, type TeamStatus } from './team-list.ts';

/** How many teams there are, and how many of them grant anything now. */
export function TeamFigures({ teams }: { teams: readonly Team[] | undefined }) {
  const counts = teams && countTeams(teams);
  return (
    <StatStrip
      label="Teams by status"
      stats={[
        { label: 'Total Teams', value: counts && formatCount(counts.total) },
        { label: 'Active Teams', value: counts && formatCount(counts.active) },
        { label: 'Inactive Teams', value: counts && formatCount(counts.inactive) },
      ]}
    />
  );
}

const statuses = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const;

interface TeamToolsProps {
  model: DataTableModel<Team>;
  status: TeamStatus | undefined;
  onStatus: (status: TeamStatus | undefined) => void;
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
      filters={
        <SegmentedSwitch
          label="Status"
          options={statuses}
          value={status ?? 'all'}
          onChange={(chosen) => onStatus(chosen === 'all' ? undefined : chosen)}
        />
      }
      choices={
        <>
          <ColumnChooser model={model} />
          <ExportButton model={model} noun="teams" />
        </>
      }
    />
  );
}
