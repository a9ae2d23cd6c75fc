import type { Team } from '@sluice/contract';
import { useCallback, useMemo, useState } from 'react';
import { useConfirm } from '../../components/ui/confirm.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { listTeamActions } from './team-actions.ts';
import { describeMembers } from './teams-columns.tsx';
import { useUpdateTeam } from './teams-queries.ts';

type DialogKind = 'create' | 'edit' | 'add-member';

interface TeamActsOptions {
  isAdministrator: boolean;
  onViewMembers: (team: Team) => void;
}

/** What can be done on the page of teams, and which dialog is open about whom. */
export function useTeamActs({ isAdministrator, onViewMembers }: TeamActsOptions) {
  const [{ kind, team }, setDialog] = useState<{ kind: DialogKind | null; team: Team | null }>({
    kind: null,
    team: null,
  });
  const switchTeam = useSwitchTeam();
  const open = useCallback(
    (opened: DialogKind, about: Team | null = null) => setDialog({ kind: opened, team: about }),
    [],
  );
  const actions = useMemo(
    () =>
      listTeamActions(
        {
          viewMembers: onViewMembers,
          addMember: (about) => open('add-member', about),
          edit: (about) => open('edit', about),
          activate: (about) => void switchTeam(about, true),
          deactivate: (about) => void switchTeam(about, false),
        },
        isAdministrator,
      ),
    [isAdministrator, onViewMembers, open, switchTeam],
  );
  return {
    actions,
    kind,
    team,
    open,
    switchTeam,
    propsOf: (asked: DialogKind) => ({
      isOpen: kind === asked,
      // The team outlives the closing, so that the dialog fades out with what it is about.
      onClose: () => setDialog((before) => ({ ...before, kind: null })),
    }),
  };
}

export type TeamActs = ReturnType<typeof useTeamActs>;

/** Activates or deactivates a team once somebody agreed to what that means. */
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

const askToDeactivate = ({ name, member_count }: Team) => ({
  title: `Deactivate ${name}?`,
  message: `The LLM access granted through this team ends at once for its ${describeMembers(member_count)}. What they are granted directly, or through other teams, stays.`,
  confirmLabel: 'Deactivate',
  isDanger: true,
});

const askToActivate = ({ name, member_count }: Team) => ({
  title: `Activate ${name}?`,
  message: `Its ${describeMembers(member_count)} get back the LLM access granted through this team.`,
  confirmLabel: 'Activate',
});
