import { Button, Checkbox } from '@mantine/core';
import type { CurrentUser, User } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ExportButton, writeCsv } from '#components/data-table/export-button.tsx';
import { ChoiceFilter, FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import { type SelectionAction, SelectionBar } from '#components/data-table/selection-bar.tsx';
import { SpendTotals } from '#components/data-table/spend-totals.tsx';
import { type DataTableModel, useDataTable } from '#components/data-table/use-data-table.ts';
import type { TableState } from '#components/data-table/use-table-state.ts';
import { BusyOverlay } from '#components/ui/busy-overlay.tsx';
import { CountChips } from '#components/ui/count-chips.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { downloadCsv, nameCsvFile } from '#lib/download-file.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import { scoreLevels } from '#lib/score-level.ts';
import { useDialogs } from '#lib/use-dialogs.ts';
import { type DialogKind, useUserActions } from './actions.ts';
import type { BulkKind } from './bulk-dialog.tsx';
import { usersColumns } from './columns.tsx';
import { countUsers, filterUsers, type ScoreChoice } from './filter-users.ts';
import { usersQuery } from './queries.ts';
import type { UsersSearch } from './search.ts';

/** Loads the dialogs separately, so that the list appears first. */
export const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const UserOverlays = lazyPart(loadOverlays, 'UserOverlays');
// Loads the drawer separately from the dialogs, so that a link to a user does not load the forms.
const loadDrawer = lazyFile(() => import('./drawer.tsx'));
const UserDrawer = lazyPart(loadDrawer, 'UserDrawer');
const loadBoth = () => Promise.all([loadOverlays(), loadDrawer()]);

interface UserListProps {
  viewer: CurrentUser;
  state: TableState<UsersSearch>;
  onCreate: () => void;
}

export function UserList({ viewer, state, onCreate }: UserListProps) {
  const { search, change } = state;
  const { status, score, near, open, act } = search;
  const { users, rows, failure } = useFoundUsers(search);
  const actions = useUserActions(viewer);
  const model = useDataTable({ columns: usersColumns, rows, rowKey: userKey, state, filteredBy: 'caller' });
  const isAnythingOpened = useEverTrue(actions.dialogs.isOpen);
  usePreload(loadBoth);
  useLinkedAction(state, users, actions.dialogs.open);
  const isNarrowed = String(search.filter ?? '') !== '' || Boolean(status ?? score ?? near);
  return (
    <>
      <UserTools
        model={model}
        users={users}
        status={status}
        score={score}
        near={near}
        onStatus={(chosen) => change({ status: chosen })}
        onScore={(chosen) => change({ score: chosen })}
        onNear={(chosen) => change({ near: chosen })}
        totals={<SpendTotals rows={rows} noun="user" />}
      />
      <ListView
        model={model}
        label="Users"
        loadingText="Loading users..."
        emptyText={isNarrowed ? 'No users found' : 'No users yet'}
        emptyAction={
          isNarrowed ? (
            <ShowAll onShow={() => change(everyone)} />
          ) : (
            <Button onClick={onCreate}>Create User</Button>
          )
        }
        failure={failure}
        actions={actions.rowActions}
        isSelectable
        nameOf={({ name }) => name}
        onOpen={({ id }) => change({ open: id })}
      />
      <UserSelection model={model} />
      {open !== undefined && act === undefined && (
        <UserDrawer model={model} users={users} id={String(open)} actions={actions.rowActions} />
      )}
      {isAnythingOpened && <UserOverlays viewer={viewer} actions={actions} />}
      <BusyOverlay text={actions.busyText} />
    </>
  );
}

function ShowAll({ onShow }: { onShow: () => void }) {
  return (
    <Button variant="default" onClick={onShow}>
      Show all users
    </Button>
  );
}

function UserSelection({ model }: { model: DataTableModel<User> }) {
  const dialogs = useDialogs<BulkKind, never>();
  const [kind, setKind] = useState<BulkKind | null>(null);
  const open = (chosen: BulkKind) => {
    setKind(chosen);
    dialogs.open(chosen);
  };
  return (
    <>
      <SelectionBar model={model} nameOf={({ name }) => name} actions={bulkActions(model, open)} />
      {kind && <BulkDialog key={kind} kind={kind} selection={model.selection} {...dialogs.propsOf(kind)} />}
    </>
  );
}

const BulkDialog = lazyPart(loadOverlays, 'BulkDialog');

/** The export uses the columns of the list. */
function bulkActions(
  model: DataTableModel<User>,
  open: (kind: BulkKind) => void,
): readonly SelectionAction<User>[] {
  return [
    { name: 'Set limits', open: () => open('limits') },
    { name: 'Add to team', open: () => open('team') },
    { name: 'Assign task', open: () => open('task') },
    { name: 'Grant models', open: () => open('models') },
    { name: 'Block', open: () => open('block'), isDangerous: true },
    { name: 'Unblock', open: () => open('unblock') },
    {
      name: 'Export CSV',
      open: (rows) => {
        const { chosenColumns } = model;
        const csv = writeCsv({ chosenColumns, rows: rows.map((original) => ({ original })) });
        downloadCsv(nameCsvFile('users', new Date()), csv);
      },
    },
  ];
}

/** Starts the action named in the URL, once. */
function useLinkedAction(
  { search: { act, open }, change }: TableState<UsersSearch>,
  users: readonly User[] | undefined,
  start: (kind: DialogKind, user: User) => void,
): void {
  const user = act === undefined ? undefined : users?.find(({ id }) => String(id) === String(open));
  useEffect(() => {
    if (act === undefined || !user) return;
    start(act, user);
    change({ act: undefined, open: undefined }, { isTyping: true });
  }, [act, user, start, change]);
}

const userKey = ({ id }: User) => id;
const everyone = { filter: undefined, status: undefined, score: undefined, near: undefined };

/** Searches names and emails, unlike the default search of all columns. */
function useFoundUsers({ filter, status, score, near }: UsersSearch) {
  const answer = useQuery(usersQuery);
  const { data: users } = answer;
  const text = String(filter ?? '');
  const rows = useMemo(
    () => users && filterUsers(users, { text, status, score, near }),
    [users, text, status, score, near],
  );
  return { users, rows, failure: describeFailure(answer, 'Unknown error', 'Error loading users') };
}

interface UserToolsProps extends Omit<UserFiltersProps, 'users'> {
  model: DataTableModel<User>;
  /** Includes users who are filtered out. */
  users: readonly User[] | undefined;
  totals: ReactNode;
}

function UserTools({ model, users, totals, ...filter }: UserToolsProps) {
  return (
    <ListTools
      search={
        <FilterField
          state={model.state}
          label="Search users"
          placeholder="Search users by name or email..."
        />
      }
      filters={users && <UserFilters users={users} {...filter} />}
      choices={
        <>
          <ColumnChooser model={model} />
          <ExportButton model={model} noun="users" />
        </>
      }
      totals={totals}
    />
  );
}

interface ScoreFilterProps {
  chosen: ScoreChoice | undefined;
  onChoose: (score: ScoreChoice | undefined) => void;
}

const options = [
  { value: 'elevated', label: `Score above ${scoreLevels.elevated}` },
  { value: 'high', label: `Score above ${scoreLevels.high}` },
] as const;

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
  near: true | undefined;
  onStatus: (status: StatusChoice) => void;
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
