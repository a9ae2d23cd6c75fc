import { Button } from '@mantine/core';
import type { CurrentUser, Team } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import {
  ActiveFilter,
  ActiveMark,
  type ActiveStatus,
  countByStatus,
  statusOf,
} from '#components/data-table/active-status.tsx';
import { NarrowOnly, RowLink, timeColumn } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ExportButton } from '#components/data-table/export-button.tsx';
import { FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import { type DataTableModel, useDataTable } from '#components/data-table/use-data-table.ts';
import { useTableState } from '#components/data-table/use-table-state.ts';
import { PageHeader } from '#components/ui/page-header.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatCount, formatQuantity } from '#lib/format-number.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import { useTeamActions } from './actions.ts';
import { filterTeams } from './filter-teams.ts';
import { teamsQuery } from './queries.ts';
import { teamsSearch } from './search.ts';

const teamsColumns: readonly Column<Team>[] = [
  {
    name: 'Team Name',
    isPinned: true,
    isHideable: false,
    sortBy: ({ name }) => name,
    cell: (team) => <Name team={team} />,
  },
  {
    name: 'Description',
    width: '32%',
    showFrom: 'medium',
    csv: ({ description }) => description,
    cell: ({ description }) => (
      <span className="quiet" title={description ?? undefined}>
        {description || 'No description'}
      </span>
    ),
  },
  {
    name: 'Members',
    width: '6rem',
    align: 'end',
    showFrom: 'medium',
    sortBy: (team) => team.member_count,
    cell: (team) => <span className="num">{formatCount(team.member_count)}</span>,
  },
  {
    name: 'Admins',
    width: '5.5rem',
    align: 'end',
    showFrom: 'wide',
    sortBy: (team) => team.admin_count,
    cell: (team) => <span className="num">{formatCount(team.admin_count)}</span>,
  },
  {
    name: 'Status',
    width: '7rem',
    showFrom: 'medium',
    sortBy: statusOf,
    cell: (team) => <ActiveMark isActive={team.is_active} />,
  },
  timeColumn('Created', ({ created_at }) => created_at),
];

function Name({ team }: { team: Team }) {
  return (
    <>
      <RowLink id={team.id}>{team.name}</RowLink>
      <NarrowOnly>
        <ActiveMark isActive={team.is_active} />
        <span className="num">{formatQuantity(team.member_count, 'member')}</span>
      </NarrowOnly>
    </>
  );
}

/** Teams that the viewer manages: all for administrators, their own for others. */
export function TeamsScreen({ viewer }: { viewer: CurrentUser }) {
  const isAdministrator = viewer.role.permissions.includes('teams.write');
  const answer = useQuery(teamsQuery);
  const { data: teams } = answer;
  const state = useTableState(teamsSearch);
  const { filter, status, open } = state.search;
  const { change } = state;
  const viewMembers = useCallback(({ id }: Team) => change({ open: id }), [change]);
  const actions = useTeamActions({ isAdministrator, onViewMembers: viewMembers });

  const isAnythingOpened = useEverTrue(actions.isOpen || open !== undefined);
  usePreload(loadOverlays);

  const text = String(filter ?? '');
  const rows = useMemo(() => teams && filterTeams(teams, { text, status }), [teams, text, status]);
  const model = useDataTable({ columns: teamsColumns, rows, rowKey: teamKey, state, filteredBy: 'caller' });
  const isNarrowed = text !== '' || status !== undefined;
  const create = isAdministrator ? (
    <Button onClick={() => actions.open('create')}>Create Team</Button>
  ) : undefined;
  const showAll = (
    <Button variant="default" onClick={() => change({ filter: undefined, status: undefined })}>
      Show all teams
    </Button>
  );
  const failure = describeFailure(answer, 'Failed to fetch teams');
  return (
    <>
      <PageHeader {...(isAdministrator ? headings.all : headings.own)} actions={create} />
      <TeamStats teams={teams} />
      <TeamTools model={model} status={status} onStatus={(chosen) => change({ status: chosen })} />
      <ListView
        model={model}
        label="Teams"
        loadingText="Loading teams..."
        emptyText={isNarrowed ? 'No teams found' : 'No teams yet'}
        emptyAction={isNarrowed ? showAll : create}
        failure={failure}
        actions={actions.rowActions}
        nameOf={({ name }) => name}
        onOpen={viewMembers}
      />
      {isAnythingOpened && (
        <TeamOverlays model={model} teams={teams} actions={actions} isAdministrator={isAdministrator} />
      )}
    </>
  );
}

const headings = {
  all: { title: 'Teams', subtitle: 'Group users into teams, and grant access to whole teams' },
  own: { title: 'My Teams', subtitle: 'The teams that you manage, and their members' },
};

const teamKey = ({ id }: Team) => id;

/** Loaded separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const TeamOverlays = lazyPart(loadOverlays, 'TeamOverlays');

/** Number of teams and of active ones. */
function TeamStats({ teams }: { teams: readonly Team[] | undefined }) {
  const counts = teams && countByStatus(teams);
  return (
    <StatStrip
      label="Teams by status"
      stats={[
        { label: 'Total Teams', value: counts?.total },
        { label: 'Active Teams', value: counts?.active },
        { label: 'Inactive Teams', value: counts?.inactive },
      ]}
    />
  );
}

interface TeamToolsProps {
  model: DataTableModel<Team>;
  status: ActiveStatus | undefined;
  onStatus: (status: ActiveStatus | undefined) => void;
}

function TeamTools({ model, status, onStatus }: TeamToolsProps) {
  return (
    <ListTools
      search={
        <FilterField
          state={model.state}
          label="Search teams"
          placeholder="Search by name or description..."
        />
      }
      filters={<ActiveFilter value={status} onChoose={onStatus} />}
      choices={
        <>
          <ColumnChooser model={model} />
          <ExportButton model={model} noun="teams" />
        </>
      }
    />
  );
}
