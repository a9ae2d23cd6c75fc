import { TextInput } from '@mantine/core';
import type { Team } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { PanelList } from '../../components/ui/panel-list.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { findMembers } from './find.ts';
import { useMemberActions } from './member-actions.ts';
import { MemberRow } from './member-row.tsx';
import styles from './members.module.css';
import { teamQuery } from './queries.ts';

const searchFrom = 10;

/** Members of a team with role, status and actions. */
export function TeamMembers({ team }: { team: Team }) {
  const details = useQuery(teamQuery(team.id));
  const { data } = details;
  const { changeRole, actions } = useMemberActions(team);
  const [text, setText] = useState('');
  const failure = describeFailure(details, 'Failed to fetch team details');
  if (failure && !data) return <Failure {...failure} />;
  if (!data) return <SkeletonLines count={8} />;
  const { members = [] } = data;
  if (members.length === 0)
    return (
      <EmptyState title="Nobody is in this team yet">Members may use what the team is granted.</EmptyState>
    );

  const found = findMembers(members, text);
  return (
    <>
      {members.length > searchFrom && (
        <TextInput
          type="search"
          className={styles.search}
          aria-label="Search members"
          placeholder="Search members by name or email..."
          leftSection={<Search size={16} strokeWidth={1.5} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <PanelList label={`Members of ${team.name}`} items={found} noun="members">
        {(member) => (
          <MemberRow key={member.user_id} member={member} onChangeRole={changeRole} actions={actions} />
        )}
      </PanelList>
      {found.length === 0 && <p className="quiet">No members found</p>}
    </>
  );
}
