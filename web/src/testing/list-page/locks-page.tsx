import { Button } from '@mantine/core';
import { ApiError } from '@sluice/contract';
import { Droplets, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { DetailsDrawer } from '#components/data-table/details-drawer.tsx';
import { ExportButton } from '#components/data-table/export-button.tsx';
import { FilterField } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import { NewRowsBar } from '#components/data-table/new-rows-bar.tsx';
import { SelectionBar } from '#components/data-table/selection-bar.tsx';
import { tableSearch } from '#components/data-table/table-search.ts';
import { type DataTableModel, useDataTable } from '#components/data-table/use-data-table.ts';
import { useTableState } from '#components/data-table/use-table-state.ts';
import { lockColumns } from './lock-columns.tsx';
import { type Lock, makeLocks } from './locks.ts';

const lockCount = 100_000;
const actions = [
  { name: 'Fill', icon: Droplets, run: ({ name }: Lock) => note(`filled ${name}`), isFrequent: true },
  { name: 'Demolish', icon: Trash2, run: ({ name }: Lock) => note(`demolished ${name}`), isDangerous: true },
];

/** List with all features and many rows, for end-to-end tests. Not part of the product. */
export function LocksPage() {
  const state = useTableState(tableSearch);
  const [locks, setLocks] = useState(() => makeLocks(lockCount));
  const model = useDataTable({
    columns: lockColumns,
    rows: locks,
    rowKey: ({ id }) => id,
    state,
    question: 'all',
  });
  const addNew = () => setLocks((before) => [...makeLocks(12, before.length + 1), ...before]);
  return (
    <main>
      <h1>Locks</h1>
      <div style={{ display: 'flex', gap: '0.5rem', marginBlock: '0.5rem' }}>
        <FilterField state={state} label="Search locks" placeholder="Search locks" />
        <ColumnChooser model={model} />
        <ExportButton model={model} noun="locks" />
        <Button onClick={addNew}>Add 12</Button>
        <output id="note" />
      </div>
      <NewRowsBar arrivals={model.arrivals} />
      <ListView
        model={model}
        label="Locks"
        loadingText="Loading locks..."
        emptyText="No locks found"
        emptyAction={<Button onClick={() => state.change({ filter: undefined })}>Clear Filters</Button>}
        detail={({ name }) => <p style={{ height: '10rem' }}>About {name}</p>}
        onOpen={({ id }) => state.change({ open: id })}
        actions={actions}
        isSelectable
      />
      <SelectionBar model={model} actions={[{ name: 'Drain', run: drain }]} nameOf={({ name }) => name} />
      {state.search.open !== undefined && <LockDrawer model={model} id={String(state.search.open)} />}
    </main>
  );
}

function LockDrawer({ model, id }: { model: DataTableModel<Lock>; id: string }) {
  return (
    <DetailsDrawer model={model} label="Lock" heading={<h2>{`Lock ${id}`}</h2>}>
      <p>Built long ago.</p>
    </DetailsDrawer>
  );
}

/** Fails for every third lock. */
async function drain({ id }: Lock): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  if (id % 3 === 0) throw new ApiError(409, 'The lock is in use', [], null);
}

function note(text: string): void {
  document.querySelector('#note')?.replaceChildren(text);
}
