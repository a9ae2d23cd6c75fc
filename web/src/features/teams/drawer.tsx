import { Button } from '@mantine/core';
import type { Team } from '@sluice/contract';
import { DetailsDrawer } from '../../components/data-table/details-drawer.tsx';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import { ActivateIcon, AddPersonIcon, EditIcon } from '../../components/ui/action-icons.ts';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import type { TeamActions } from './actions.ts';
import styles from './drawer.module.css';
import { TeamMembers } from './members.tsx';

interface TeamDrawerProps {
  model: DataTableModel<Team>;
  /** All teams, since the one in the URL may be filtered out. */
  teams: readonly Team[] | undefined;
  id: string;
  actions: TeamActions;
  isAdministrator: boolean;
}

/** Team Members, next to the list. */
export function TeamDrawer({ model, teams, id, actions, isAdministrator }: TeamDrawerProps) {
  const team = teams?.find((listed) => String(listed.id) === id);
  return (
    <DetailsDrawer model={model} label="Team Members" heading={<Heading team={team} />}>
      {!teams && <SkeletonLines count={6} />}
      {teams && !team && <EmptyState title="There is no such team">No team here has the id {id}.</EmptyState>}
      {team?.is_active === false && (
        <EmptyState
          title="This team is inactive"
          action={
            isAdministrator && (
              <Button
                variant="default"
                leftSection={<ActivateIcon {...iconProps} />}
                onClick={() => void actions.switchTeam(team, true)}
              >
                Activate
              </Button>
            )
          }
        >
          Nobody has access through it, and its members cannot be changed.
        </EmptyState>
      )}
      {team?.is_active && (
        <>
          <div className={styles.actions}>
            <Button
              leftSection={<AddPersonIcon {...iconProps} />}
              onClick={() => actions.open('add-member', team)}
            >
              Add Member
            </Button>
            <Button
              variant="default"
              leftSection={<EditIcon {...iconProps} />}
              onClick={() => actions.open('edit', team)}
            >
              Edit
            </Button>
          </div>
          <TeamMembers team={team} />
        </>
      )}
    </DetailsDrawer>
  );
}

const iconProps = { size: 14, strokeWidth: 1.5, 'aria-hidden': true } as const;

function Heading({ team }: { team: Team | undefined }) {
  return (
    <>
      <h2>{team?.name ?? 'Team Members'}</h2>
      {team && <p className={styles.description}>{team.description || 'No description'}</p>}
    </>
  );
}
