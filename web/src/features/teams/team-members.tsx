import type { Team, TeamMember } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { memberColumns, nameOf } from './member-columns.tsx';
import { teamQuery } from './teams-queries.ts';
import { useMemberActs } from './use-member-acts.ts';

/** The members of a team: their role, whether they are active, and what can be done to them. */
export function TeamMembers({ team }: { team: Team }) {
  const { data, error, refetch } = useQuery(teamQuery(team.id));
  const { changeRole, actions } = useMemberActs(team);
  const columns = useMemo(() => memberColumns(changeRole), [changeRole]);
  const failure = error && {
    message: messageOf(error, 'Failed to fetch team details'),
    error,
    onRetry: () => void refetch(),
  };
  return (
    <DataTable
      columns={columns}
      rows={data?.members}
      rowKey={memberKey}
      label={`Members of ${team.name}`}
      loadingText="Loading members..."
      emptyText="Nobody is in this team yet"
      failure={failure}
      actions={actions}
      nameOf={nameOf}
    />
  );
}

const memberKey = ({ user_id }: TeamMember) => user_id;
