import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { SegmentedSwitch } from '../../components/ui/segmented-switch.tsx';
import type { ComparisonSearch } from './search.ts';

const statuses = [
  { value: 'all', label: 'All' },
  { value: 'completed', label: 'Completed' },
  { value: 'partial', label: 'Partial' },
  { value: 'pending', label: 'Pending' },
] as const;

const owners = [
  { value: 'own', label: 'Mine' },
  { value: 'everyone', label: 'Everyone' },
] as const;

/** Filters of the history. */
export function HistoryTools({ state }: { state: TableState<ComparisonSearch> }) {
  const { status = 'all', of = 'own' } = state.search;
  return (
    <ListTools
      search={<FilterField state={state} label="Search comparisons" placeholder="Search comparisons..." />}
      filters={
        <>
          <SegmentedSwitch
            label="Comparisons by status"
            options={statuses}
            value={status}
            onChange={(chosen) => state.change({ status: chosen === 'all' ? undefined : chosen })}
          />
          <SegmentedSwitch
            label="Whose comparisons"
            options={owners}
            value={of}
            onChange={(chosen) => state.change({ of: chosen === 'own' ? undefined : chosen })}
          />
        </>
      }
    />
  );
}
