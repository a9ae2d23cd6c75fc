import { useCallback, useMemo } from 'react';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import { DeleteIcon, EditIcon, SummaryIcon } from '#components/ui/action-icons.ts';
import { useConfirm } from '#components/ui/confirm.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { useDialogs } from '#lib/use-dialogs.ts';
import { describeModels } from './columns.tsx';
import { type Access, holderOf, isTeamAccess, useRemoveAccess } from './queries.ts';

type DialogKind = 'grant' | 'edit' | 'summary';

export function useAccessActions() {
  const { about: access, ...dialogs } = useDialogs<DialogKind, Access>();
  const { open } = dialogs;
  const remove = useAskedRemoval();
  const rowActions = useMemo<readonly RowAction<Access>[]>(
    () => [
      {
        name: 'View summary',
        icon: SummaryIcon,
        run: (about) => open('summary', about),
        isHidden: isTeamAccess,
      },
      { name: 'Edit models', icon: EditIcon, run: (about) => open('edit', about), isFrequent: true },
      {
        name: 'Remove',
        icon: DeleteIcon,
        run: (about) => void remove(about),
        isDangerous: true,
      },
    ],
    [open, remove],
  );
  return { ...dialogs, access, rowActions };
}

export type AccessActions = ReturnType<typeof useAccessActions>;

function useAskedRemoval() {
  const confirm = useConfirm();
  const { mutate } = useRemoveAccess();
  return useCallback(
    async (access: Access) => {
      if (!(await confirm(askToRemove(access)))) return;
      mutate(access, {
        onSuccess: () =>
          showSuccess(`${holderOf(access)} no longer has access to ${access.provider_instance_name}`),
        onError: (error) =>
          showError(messageOf(error, `Failed to delete ${isTeamAccess(access) ? 'team' : 'user'} access`)),
      });
    },
    [confirm, mutate],
  );
}

function askToRemove(access: Access) {
  const models = describeModels(access.allowed_models.length);
  return {
    title: `Remove access of ${holderOf(access)}?`,
    message: isTeamAccess(access)
      ? `Its members lose ${models} of ${access.provider_instance_name} immediately, unless another grant covers them.`
      : `Requests to ${models} of ${access.provider_instance_name} will be rejected immediately, unless a team also grants access.`,
    inUse: {
      of: {
        llm_provider_id: access.llm_provider_id,
        ...(isTeamAccess(access) ? { team_id: access.team_id } : { user_id: access.user_id }),
      },
    },
    confirmLabel: 'Remove',
    isDanger: true,
  };
}
