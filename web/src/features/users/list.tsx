import { Button, Checkbox } from '@mantine/core';
import type { User } from '@sluice/contract';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ExportButton } from '#components/data-table/export-button.tsx';
import { ChoiceFilter, FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import { SpendTotals } from '#components/data-table/spend-totals.tsx';
import type { ListViewProps } from '#components/data-table/table-body.tsx';
import type { DataTableModel } from '#components/data-table/use-data-table.ts';
import { CountChips } from '#components/ui/count-chips.tsx';
import { scoreLevels } from '#lib/score-level.ts';
import { countUsers, type ScoreChoice } from './filter-users.ts';
import type { UserAction } from './row-actions.ts';

interface UserTableProps extends Omit<UserFiltersProps, 'users'> {
  /** All users, including those filtered out. */
  users: readonly User[] | undefined;
  /** Users that match the filters. */
  rows: readonly User[] | undefined;
  failure: ListViewProps<User>['failure'];
  model: DataTableModel<User>;
  actions: readonly UserAction[];
  onShowAll: () => void;
  onCreate: () => void;
}

export function UserTable({
  users,
  rows,
  failure,
  model,
  actions,
  onShowAll,
  onCreate,
  ...filter
}: UserTableProps) {
  const { state } = model;
  const isNarrowed =
    String(state.search.filter ?? '') !== '' || Boolean(filter.status ?? filter.score ?? filter.near);
  return (
    <>
      <ListTools
        search={
          <FilterField state={state} label="Search users" placeholder="Search users by name or email..." />
        }
        filters={users && <UserFilters users={users} {...filter} />}
        choices={
          <>
            <ColumnChooser model={model} />
            <ExportButton model={model} noun="users" />
          </>
        }
      />
      <SpendTotals rows={rows} noun="user" />
      <ListView
        model={model}
        label="Users"
        loadingText="Loading users..."
        emptyText={isNarrowed ? 'No users found' : 'No users yet'}
        emptyAction={
          isNarrowed ? (
            <Button variant="default" onClick={onShowAll}>
              Show all users
            </Button>
          ) : (
            <Button onClick={onCreate}>Create User</Button>
          )
        }
        failure={failure}
        actions={actions}
        nameOf={({ name }) => name}
        onOpen={({ id }) => state.change({ open: id })}
      />
    </>
  );
}

export const userKey = ({ id }: User) => id;

interface ScoreFilterProps {
  chosen: ScoreChoice | undefined;
  onChoose: (score: ScoreChoice | undefined) => void;
}

const options = [
  { value: 'elevated', label: `Score above ${scoreLevels.elevated}` },
  { value: 'high', label: `Score above ${scoreLevels.high}` },
] as const;

/** Filter by elevated or high score. */
function ScoreFilter({ chosen, onChoose }: ScoreFilterProps) {
  return (
    <ChoiceFilter
      label="Score"
      isLabelHidden
      everything="Any score"
      value={chosen}
      options={options}
      onChoose={(value) => onChoose(options.find((option) => option.value === value)?.value)}
    />
  );
}

interface UserFiltersProps {
  users: readonly User[];
  status: StatusChoice;
  score: ScoreChoice | undefined;
  onStatus: (status: StatusChoice) => void;
  near: true | undefined;
  onScore: (score: ScoreChoice | undefined) => void;
  onNear: (near: true | undefined) => void;
}

function UserFilters({ users, status, score, near, onStatus, onScore, onNear }: UserFiltersProps) {
  return (
    <>
      <StatusFilter users={users} chosen={status} onChoose={onStatus} />
      <ScoreFilter chosen={score} onChoose={onScore} />
      <Checkbox
        label="Near a limit"
        checked={near ?? false}
        onChange={({ currentTarget }) => onNear(currentTarget.checked || undefined)}
      />
    </>
  );
}

type StatusChoice = 'active' | 'blocked' | undefined;

interface StatusFilterProps {
  users: readonly User[];
  chosen: StatusChoice;
  onChoose: (status: StatusChoice) => void;
}

/** Filter by status with counts. */
function StatusFilter({ users, chosen, onChoose }: StatusFilterProps) {
  const counts = countUsers(users);
  const chips = [
    { label: 'Total', count: counts.total, value: undefined },
    { label: 'Active', count: counts.active, value: 'active' },
    { label: 'Blocked', count: counts.blocked, value: 'blocked' },
  ] as const;
  return (
    <CountChips<StatusChoice> label="Users by status" chips={chips} chosen={chosen} onChoose={onChoose} />
  );
}
