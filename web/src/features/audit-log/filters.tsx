import { Button } from '@mantine/core';
import { auditedObjectTypes } from '@sluice/contract';
import type { ReactNode } from 'react';
import {
  ChoiceFilter,
  DayFilter,
  FilterBar,
  FilterHint,
  FilterTools,
  TextFilter,
} from '../../components/data-table/filter-bar.tsx';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { objectTypeLabel } from './describe-entry.ts';
import { type AuditSearch, hasAuditFilters, noAuditFilters } from './search.ts';

interface AuditFiltersProps {
  state: TableState<AuditSearch>;
  people: readonly { id: number; name: string; email: string }[];
  /** Time zone of the date filter. */
  timeZone: string;
  /** More tools at the end of the line. */
  children: ReactNode;
}

export function AuditFilters({ state, people, timeZone, children }: AuditFiltersProps) {
  const { search, change } = state;
  return (
    <FilterBar>
      <TextFilter state={state} label="Search names, addresses and values" placeholder="Search" />
      <ChoiceFilter
        label="Actor"
        everything="Everybody"
        value={search.actor}
        options={people.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
        onChoose={(value) => change({ actor: Number(value) || undefined })}
      />
      <ChoiceFilter
        label="Object"
        everything="Everything"
        value={search.object}
        options={auditedObjectTypes.map((type) => ({ value: type, label: objectTypeLabel(type) }))}
        onChoose={(value) => change({ object: auditedObjectTypes.find((type) => type === value) })}
      />
      <DayFilter
        label="From"
        value={search.start}
        max={search.end}
        onChoose={(day) => change({ start: day })}
      />
      <DayFilter label="To" value={search.end} min={search.start} onChoose={(day) => change({ end: day })} />
      <Button variant="default" disabled={!hasAuditFilters(search)} onClick={() => change(noAuditFilters)}>
        Clear Filters
      </Button>
      <FilterTools>{children}</FilterTools>
      <FilterHint>Dates and times are those of {timeZone}.</FilterHint>
    </FilterBar>
  );
}
