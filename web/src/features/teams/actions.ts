import type { Team } from '@sluice/contract';
import { useCallback, useMemo } from 'react';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import {
  ActivateIcon,
  AddPersonIcon,
  DeactivateIcon,
  DeleteIcon,
  EditIcon,
  PeopleIcon,
} from '#components/ui/action-icons.ts';
import { useConfirm } from '#components/ui/confirm.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { useDialogs } from '#lib/use-dialogs.ts';
import { useDeleteTeam, useUpdateTeam } from './queries.ts';

type DialogKind = 'create' | 'edit' | 'add-member';

interface TeamActionsOptions {
  isAdministrator: boolean;
  onViewMembers: (team: Team) => void;
}

export function useTeamActions({ isAdministrator, onViewMembers }: TeamActionsOptions) {
  const { about: team, ...dialogs } = useDialogs<DialogKind, Team>();
  const { open } = dialogs;
  const switchTeam = useSwitchTeam();
  const removeTeam = useRemoveTeam();
  const rowActions = useMemo(
    () =>
      listTeamActions(
        {
          viewMembers: onViewMembers,
          addMember: (about) => open('add-member', about),
          edit: (about) => open('edit', about),
          activate: (about) => void switchTeam(about, true),
          deactivate: (about) => void switchTeam(about, false),
          remove: (about) => void removeTeam(about),
        },
        isAdministrator,
      ),
    [isAdministrator, onViewMembers, open, switchTeam, removeTeam],
  );
  return { ...dialogs, team, rowActions, switchTeam };
}

export type TeamActions = ReturnType<typeof useTeamActions>;

function useSwitchTeam() {
  const confirm = useConfirm();
  const { mutate } = useUpdateTeam();
  return useCallback(
    async (team: Team, isActive: boolean) => {
      if (!(await confirm(isActive ? askToActivate(team) : askToDeactivate(team)))) return;
      mutate(
        { params: { id: team.id }, body: { is_active: isActive } },
        {
          onSuccess: ({ name }) => showSuccess(`${name} is ${isActive ? 'active' : 'inactive'}`),
          onError: (error) => showError(messageOf(error, 'Failed to update team status')),
        },
      );
    },
    [confirm, mutate],
  );
}

function useRemoveTeam() {
  const confirm = useConfirm();
  const { mutate } = useDeleteTeam();
  return useCallback(
    async (team: Team) => {
      if (!(await confirm(askToRemove(team)))) return;
      mutate(team, {
        onSuccess: () => showSuccess(`${team.name} was deleted`),
        onError: (error) => showError(messageOf(error, 'Failed to delete team')),
      });
    },
    [confirm, mutate],
  );
}

const askToRemove = ({ id, name, member_count }: Team) => ({
  title: `Delete ${name}?`,
  message: `The team cannot be restored. The LLM access granted through it ends immediately for its ${formatQuantity(member_count, 'member')}. Their direct grants and grants through other teams stay.`,
  inUse: { of: { team_id: id } },
  confirmLabel: 'Delete team',
  isDanger: true,
});

const askToDeactivate = ({ id, name, member_count }: Team) => ({
  title: `Deactivate ${name}?`,
  message: `The LLM access granted through this team ends immediately for its ${formatQuantity(member_count, 'member')}. Their direct grants and grants through other teams stay.`,
  inUse: { of: { team_id: id } },
  confirmLabel: 'Deactivate',
  isDanger: true,
});

const askToActivate = ({ name, member_count }: Team) => ({
  title: `Activate ${name}?`,
  message: `Its ${formatQuantity(member_count, 'member')} regain the LLM access granted through this team.`,
  confirmLabel: 'Activate',
});

export interface TeamHandlers {
  viewMembers: (team: Team) => void;
  addMember: (team: Team) => void;
  edit: (team: Team) => void;
  activate: (team: Team) => void;
  deactivate: (team: Team) => void;
  remove: (team: Team) => void;
}

/** Only tenant administrators may activate, deactivate or delete a team. */
function listTeamActions(handlers: TeamHandlers, isAdministrator: boolean): readonly RowAction<Team>[] {
  const obstacle = ({ is_active }: Team) => (is_active ? null : 'The team is inactive');
  return [
    {
      name: 'Activate',
      icon: ActivateIcon,
      run: handlers.activate,
      isFrequent: true,
      isHidden: ({ is_active }) => !isAdministrator || is_active,
    },
    { name: 'View members', icon: PeopleIcon, run: handlers.viewMembers, obstacle },
    { name: 'Add member', icon: AddPersonIcon, run: handlers.addMember, isFrequent: true, obstacle },
    { name: 'Edit', icon: EditIcon, run: handlers.edit, obstacle },
    {
      name: 'Deactivate',
      icon: DeactivateIcon,
      run: handlers.deactivate,
      isDangerous: true,
      isHidden: ({ is_active }) => !isAdministrator || !is_active,
    },
    {
      name: 'Delete',
      icon: DeleteIcon,
      run: handlers.remove,
      isDangerous: true,
      isHidden: () => !isAdministrator,
    },
  ];
}
