import { Button, TextInput } from '@mantine/core';
import { auditedObjectTypes } from '@sluice/contract';
import type { ReactNode } from 'react';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { SelectField } from '../../components/forms/select-field.tsx';
import styles from './audit-filters.module.css';
import { type AuditSearch, hasAuditFilters, noAuditFilters } from './audit-search.ts';
import { objectTypeLabel } from './describe-entry.ts';

interface AuditFiltersProps {
  state: TableState<AuditSearch>;
  people: readonly { id: number; name: string; email: string }[];
  /** More tools at the end of the line. */
  children: ReactNode;
}

export function AuditFilters({ state, people, children }: AuditFiltersProps) {
  const { search, change } = state;
  return (
    <search className={styles.filters} aria-label="Filters">
      <FilterField
        state={state}
        className={styles.search}
        label="Search names, addresses and values"
        placeholder="Search"
      />
      <SelectField
        className={styles.choice}
        label="By"
        placeholder="Everybody"
        value={search.actor ?? null}
        options={people.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
        onChange={(event) => change({ actor: Number(event.currentTarget.value) || undefined })}
      />
      <SelectField
        className={styles.choice}
        label="Of"
        placeholder="Everything"
        value={search.object ?? null}
        options={auditedObjectTypes.map((type) => ({ value: type, label: objectTypeLabel(type) }))}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          change({ object: auditedObjectTypes.find((type) => type === chosen) });
        }}
      />
      <Day label="From" value={search.start} onChoose={(day) => change({ start: day })} />
      <Day label="To" value={search.end} onChoose={(day) => change({ end: day })} />
      <Button variant="default" disabled={!hasAuditFilters(search)} onClick={() => change(noAuditFilters)}>
        Clear Filters
      </Button>
      {children}
    </search>
  );
}

interface DayProps {
  label: string;
  value: string | undefined;
  onChoose: (day: string | undefined) => void;
}

function Day({ label, value, onChoose }: DayProps) {
  return (
    <TextInput
      className={styles.day}
      type="date"
      label={label}
      value={value ?? ''}
      onChange={(event) => onChoose(event.currentTarget.value || undefined)}
    />
  );
}
