import type { Team, TeamMember } from '@sluice/contract';
import { useCallback, useMemo } from 'react';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { ActivateIcon, DeactivateIcon, RemovePersonIcon } from '../../components/ui/action-icons.ts';
import { useConfirm } from '../../components/ui/confirm.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { messageOf } from '../../lib/message-of.ts';
import { nameOf } from './find.ts';
import { useRemoveMember, useUpdateMember } from './queries.ts';

/** What can be done to the members of a team; it shows at once. */
export function useMemberActions({ id, name: teamName }: Team) {
  const confirm = useConfirm();
  const { mutate: update } = useUpdateMember();
  const { mutate: remove } = useRemoveMember();
  const paramsOf = useCallback((member: TeamMember) => ({ id, userId: member.user_id }), [id]);

  const changeRole = useCallback(
    (member: TeamMember, role: TeamMember['role']) =>
      update(
        { params: paramsOf(member), body: { role } },
        { onError: (error) => showError(messageOf(error, 'Failed to update member role')) },
      ),
    [update, paramsOf],
  );

  const actions = useMemo<readonly RowAction<TeamMember>[]>(() => {
    const switchMember = (member: TeamMember) =>
      update(
        { params: paramsOf(member), body: { is_active: !member.is_active } },
        { onError: (error) => showError(messageOf(error, 'Failed to update member status')) },
      );
    const removeMember = async (member: TeamMember) => {
      if (!(await confirm(askToRemove(member, teamName)))) return;
      remove(
        { params: paramsOf(member) },
        {
          onSuccess: () => showSuccess(`${nameOf(member)} was removed from ${teamName}`),
          onError: (error) => showError(messageOf(error, 'Failed to remove member')),
        },
      );
    };
    return [
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
      {
        name: 'Remove',
        icon: RemovePersonIcon,
        run: (member) => void removeMember(member),
        isInline: true,
        isDangerous: true,
      },
    ];
  }, [confirm, update, remove, paramsOf, teamName]);

  return { changeRole, actions };
}

const askToRemove = (member: TeamMember, teamName: string) => ({
  title: `Remove ${nameOf(member)} from ${teamName}?`,
  message: 'They lose the LLM access granted through this team. Their other grants stay.',
  confirmLabel: 'Remove',
  isDanger: true,
});
