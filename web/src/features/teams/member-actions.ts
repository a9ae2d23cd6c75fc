import type { Team, TeamMember } from '@sluice/contract';
import { useCallback, useMemo } from 'react';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { ActivateIcon, DeactivateIcon, RemovePersonIcon } from '../../components/ui/action-icons.ts';
import { useConfirm } from '../../components/ui/confirm.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { nameOf } from './find.ts';
import { useRemoveMember, useUpdateMember } from './queries.ts';

/** Actions on the members of a team; they take effect in the list at once. */
export function useMemberActions({ id, name: teamName }: Team) {
  const confirm = useConfirm();
  const { mutate: update } = useUpdateMember();
  const { mutate: remove } = useRemoveMember();

  const change = useCallback(
    ({ user_id }: TeamMember, body: Partial<Pick<TeamMember, 'role' | 'is_active'>>, failure: string) =>
      update(
        { params: { id, userId: user_id }, body },
        { onError: (error) => showError(messageOf(error, failure)) },
      ),
    [update, id],
  );
  const changeRole = useCallback(
    (member: TeamMember, role: TeamMember['role']) =>
      change(member, { role }, 'Failed to update member role'),
    [change],
  );

  const actions = useMemo(() => {
    const switchMember = (member: TeamMember) =>
      change(member, { is_active: !member.is_active }, 'Failed to update member status');
    const removeMember = async (member: TeamMember) => {
      if (!(await confirm(askToRemove(member, teamName)))) return;
      remove(
        { params: { id, userId: member.user_id } },
        {
          onSuccess: () => showSuccess(`${nameOf(member)} was removed from ${teamName}`),
          onError: (error) => showError(messageOf(error, 'Failed to remove member')),
        },
      );
    };
    return listActions(switchMember, (member) => void removeMember(member));
  }, [confirm, change, remove, id, teamName]);

  return { changeRole, actions };
}

type Run = (member: TeamMember) => void;

const listActions = (switchMember: Run, removeMember: Run): readonly RowAction<TeamMember>[] => [
  {
    name: 'Deactivate',
    icon: DeactivateIcon,
    run: switchMember,
    isInline: true,
    isHidden: ({ is_active }) => !is_active,
  },
  {
    name: 'Activate',
    icon: ActivateIcon,
    run: switchMember,
    isInline: true,
    isHidden: ({ is_active }) => is_active,
  },
  { name: 'Remove', icon: RemovePersonIcon, run: removeMember, isInline: true, isDangerous: true },
];

const askToRemove = (member: TeamMember, teamName: string) => ({
  title: `Remove ${nameOf(member)} from ${teamName}?`,
  message: 'They lose the LLM access granted through this team. Their other grants stay.',
  confirmLabel: 'Remove',
  isDanger: true,
});
