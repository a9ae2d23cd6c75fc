import { Checkbox } from '@mantine/core';
import type { WebhookEvent } from '@sluice/contract';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ChoiceFilter } from '../../components/data-table/filter-bar.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { SelectField } from '../../components/forms/select-field.tsx';
import { eventLimits, eventStatuses, type WebhookSearch } from './search.ts';

interface WebhookToolsProps {
  model: DataTableModel<WebhookEvent>;
  state: TableState<WebhookSearch>;
  types: readonly string[];
}

const statuses = eventStatuses.map((status) => ({
  value: status,
  label: `${status[0]?.toUpperCase()}${status.slice(1)}`,
}));

export function WebhookTools({ model, state: { search, change }, types }: WebhookToolsProps) {
  return (
    <ListTools
      search={<FilterField state={model.state} label="Search events" placeholder="Search by id or type..." />}
      filters={
        <>
          <ChoiceFilter
            label="Status"
            isLabelHidden
            everything="All Statuses"
            options={statuses}
            value={search.status}
            onChoose={(chosen) => change({ status: eventStatuses.find((status) => status === chosen) })}
          />
          <ChoiceFilter
            label="Event type"
            isLabelHidden
            everything="All Types"
            options={types.map((type) => ({ value: type, label: type }))}
            value={search.type}
            onChoose={(type) => change({ type })}
          />
          <Checkbox
            label="Failed Only"
            checked={search.failed ?? false}
            onChange={({ currentTarget }) => change({ failed: currentTarget.checked || undefined })}
          />
          <SelectField
            aria-label="Events shown"
            options={eventLimits.map((limit) => ({ value: limit, label: `${limit} events` }))}
            value={search.limit ?? 50}
            onChange={(chosen) => change({ limit: eventLimits.find((limit) => String(limit) === chosen) })}
          />
        </>
      }
      choices={<ColumnChooser model={model} />}
    />
  );
}
