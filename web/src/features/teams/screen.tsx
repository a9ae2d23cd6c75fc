import { Button } from '@mantine/core';
import type { CurrentUser, Team } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo } from 'react';
import { ActiveFilter, type ActiveStatus, countByStatus } from '#components/data-table/active-status.tsx';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ExportButton } from '#components/data-table/export-button.tsx';
import { FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import { SpendTotals } from '#components/data-table/spend-totals.tsx';
import { useAddParameter } from '#components/data-table/use-add-parameter.ts';
import { type DataTableModel, useDataTable } from '#components/data-table/use-data-table.ts';
import { useTableState } from '#components/data-table/use-table-state.ts';
import { PageHeader } from '#components/ui/page-header.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import { useTeamActions } from './actions.ts';
import { teamsColumns } from './columns.tsx';
import { filterTeams } from './filter-teams.ts';
import { teamsQuery } from './queries.ts';
import { teamsSearch } from './search.ts';

/** Administrators see all teams, other users the teams that they manage. */
export function TeamsScreen({ viewer }: { viewer: CurrentUser }) {
  const isAdministrator = viewer.role.permissions.includes('teams.write');
  const answer = useQuery(teamsQuery);
  const { data: teams } = answer;
  const state = useTableState(teamsSearch);
  const { filter, status, open } = state.search;
  const { change } = state;
  const viewMembers = useCallback(({ id }: Team) => change({ open: id }), [change]);
  const actions = useTeamActions({ isAdministrator, onViewMembers: viewMembers });

  useAddParameter(state, actions.open);
  const isAnythingOpened = useEverTrue(actions.isOpen || open !== undefined);
  usePreload(loadOverlays);

  const text = String(filter ?? '');
  const rows = useMemo(() => teams && filterTeams(teams, { text, status }), [teams, text, status]);
  const model = useDataTable({ columns: teamsColumns, rows, rowKey: teamKey, state, filteredBy: 'caller' });
  const isNarrowed = text !== '' || status !== undefined;
  const create = isAdministrator ? (
    <Button onClick={() => actions.open('create')}>Create Team</Button>
  ) : undefined;
  const showAll = <ShowAll onClick={() => change({ filter: undefined, status: undefined })} />;
  const failure = describeFailure(answer, 'Failed to fetch teams');
  return (
    <>
      <PageHeader {...(isAdministrator ? headings.all : headings.own)} actions={create} />
      <TeamStats teams={teams} />
      <TeamTools
        model={model}
        status={status}
        onStatus={(chosen) => change({ status: chosen })}
        totals={<SpendTotals rows={rows} noun="team" />}
      />
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

function ShowAll({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" onClick={onClick}>
      Show all teams
    </Button>
  );
}

const headings = {
  all: { title: 'Teams', subtitle: 'Group users into teams, and grant access to whole teams' },
  own: { title: 'My Teams', subtitle: 'The teams that you manage, and their members' },
};

const teamKey = ({ id }: Team) => id;

/** Loads the dialogs separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const TeamOverlays = lazyPart(loadOverlays, 'TeamOverlays');

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
  totals: ReactNode;
}

function TeamTools({ model, status, onStatus, totals }: TeamToolsProps) {
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
      totals={totals}
    />
  );
}
