import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ChoiceFilter, FilterBar } from '#components/data-table/filter-bar.tsx';
import type { TableState } from '#components/data-table/use-table-state.ts';
import { listPersonChoices } from '#components/forms/picker-choices.ts';
import { PickerField } from '#components/forms/picker-field.tsx';
import styles from './filters.module.css';
import { grantableProvidersQuery, listTeamChoices, useTeams, useUsers } from './queries.ts';
import { type AccessSearch, hasAccessFilters, noAccessFilters } from './search.ts';

interface AccessFiltersProps {
  state: TableState<AccessSearch>;
  holder: 'user' | 'team';
}

export function AccessFilters({ state, holder }: AccessFiltersProps) {
  const { search, change } = state;
  return (
    <FilterBar>
      <div className={styles.holder}>
        {holder === 'user' ? (
          <UserFilter value={search.user} onChange={(user) => change({ user })} />
        ) : (
          <TeamFilter value={search.team} onChange={(team) => change({ team })} />
        )}
      </div>
      <ProviderFilter value={search.provider} onChange={(provider) => change({ provider })} />
      <Button variant="default" disabled={!hasAccessFilters(search)} onClick={() => change(noAccessFilters)}>
        Clear Filters
      </Button>
    </FilterBar>
  );
}

interface FilterProps {
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}

const toId = (value: string) => (value === '' ? undefined : Number(value));

function UserFilter({ value, onChange }: FilterProps) {
  const [isWanted, setWanted] = useState(false);
  const { data, ...users } = useUsers(isWanted || value !== undefined);
  return (
    <PickerField
      label="User"
      isLabelHidden
      placeholder="All users"
      emptyText="No users found"
      source={{ choices: data && listPersonChoices(data), ...users, onOpen: () => setWanted(true) }}
      value={value?.toString()}
      fallbackText={`User ${value}`}
      onChange={(chosen) => onChange(toId(chosen))}
    />
  );
}

function TeamFilter({ value, onChange }: FilterProps) {
  const [isWanted, setWanted] = useState(false);
  const { data, ...teams } = useTeams(isWanted || value !== undefined);
  return (
    <PickerField
      label="Team"
      isLabelHidden
      placeholder="All teams"
      emptyText="No teams found"
      source={{ choices: data && listTeamChoices(data), ...teams, onOpen: () => setWanted(true) }}
      value={value?.toString()}
      fallbackText={`Team ${value}`}
      onChange={(chosen) => onChange(toId(chosen))}
    />
  );
}

function ProviderFilter({ value, onChange }: FilterProps) {
  const { data: providers = [] } = useQuery(grantableProvidersQuery);
  return (
    <ChoiceFilter
      label="Provider"
      isLabelHidden
      everything="All providers"
      options={providers.map(({ id, provider_instance_name }) => ({
        value: id,
        label: provider_instance_name,
      }))}
      value={value}
      onChoose={(chosen) => onChange(toId(chosen ?? ''))}
    />
  );
}
