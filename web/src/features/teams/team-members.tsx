import { Button, TextInput } from '@mantine/core';
import type { Team } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Failure } from '../../components/ui/failure.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { MemberRow } from './member-row.tsx';
import { findMembers } from './team-list.ts';
import styles from './team-members.module.css';
import { teamQuery } from './teams-queries.ts';
import { useMemberActs } from './use-member-acts.ts';

/** How many are drawn before somebody asks for more. */
const stepCount = 50;
const searchFrom = 10;

/** The members of a team: their role, whether they are active, and what can be done to them. */
export function TeamMembers({ team }: { team: Team }) {
  const { data, error, refetch } = useQuery(teamQuery(team.id));
  const { changeRole, actions } = useMemberActs(team);
  const [text, setText] = useState('');
  const [shownMax, setShownMax] = useState(stepCount);
  if (error && !data) {
    const message = messageOf(error, 'Failed to fetch team details');
    return <Failure message={message} error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <SkeletonLines count={8} />;
  const { members = [] } = data;
  if (members.length === 0)
    return (
      <EmptyState title="Nobody is in this team yet">Whoever you add may use what it is granted.</EmptyState>
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
      <ul className={styles.members} aria-label={`Members of ${team.name}`}>
        {found.slice(0, shownMax).map((member) => (
          <MemberRow key={member.user_id} member={member} onChangeRole={changeRole} actions={actions} />
        ))}
      </ul>
      {found.length === 0 && <p className={styles.rest}>No members found</p>}
      {found.length > shownMax && (
        <div className={styles.rest}>
          <Button variant="default" onClick={() => setShownMax(shownMax + stepCount)}>
            Show more
          </Button>
          <span className="num">
            {shownMax} of {found.length} members
          </span>
        </div>
      )}
    </>
  );
}
