import { Button } from '@mantine/core';
import type { User } from '@sluice/contract';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportButton } from '../../components/data-table/export-button.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import { ListView } from '../../components/data-table/list-view.tsx';
import type { ListViewProps } from '../../components/data-table/list-view-props.ts';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import { UserFilters, type UserFiltersProps } from './filters.tsx';
import type { UserAction } from './row-actions.ts';

interface UserTableProps extends Omit<UserFiltersProps, 'users'> {
  /** All users, including those filtered out. */
  users: readonly User[] | undefined;
  failure: ListViewProps<User>['failure'];
  model: DataTableModel<User>;
  actions: readonly UserAction[];
  onShowAll: () => void;
  onCreate: () => void;
}

export function UserTable({
  users,
  failure,
  model,
  actions,
  onShowAll,
  onCreate,
  ...filter
}: UserTableProps) {
  const { state } = model;
  const isNarrowed = String(state.search.filter ?? '') !== '' || Boolean(filter.status ?? filter.score);
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
