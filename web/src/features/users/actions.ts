import type { CurrentUser, User } from '@sluice/contract';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { useDialogs } from '#lib/use-dialogs.ts';
import { useBlockUser, useUnblockUser } from './queries.ts';
import { listUserActions } from './row-actions.ts';

type DialogKind = 'create' | 'invite' | 'edit' | 'block' | 'password' | 'api-key' | 'access';

/** Actions of the users page, and the one in progress. */
export function useUserActions(viewer: CurrentUser) {
  const dialogs = useDialogs<DialogKind, User>();
  const { mutateAsync: sendBlock, isPending: isBlocking } = useBlockUser();
  const { mutate: sendUnblock, isPending: isUnblocking } = useUnblockUser();
  const { open } = dialogs;
  const navigate = useNavigate();

  const block = useCallback(
    async (user: User, reason: string) => {
      await sendBlock({ params: { id: user.id }, query: { reason } });
      showSuccess(`${user.name} is blocked`);
    },
    [sendBlock],
  );

  const unblock = useCallback(
    (user: User) =>
      sendUnblock(
        { params: { id: user.id } },
        {
          onSuccess: ({ name }) => showSuccess(`${name} is unblocked`),
          onError: (error) => showError(messageOf(error, 'Failed to unblock user')),
        },
      ),
    [sendUnblock],
  );

  const rowActions = useMemo(
    () =>
      listUserActions(viewer, {
        edit: (user) => open('edit', user),
        block: (user) => open('block', user),
        unblock,
        giveAccess: (user) => open('access', user),
        showApiKey: (user) => open('api-key', user),
        setPassword: (user) => open('password', user),
        explainAccess: ({ id }) => void navigate({ to: '/admin/provider-access', search: { explain: id } }),
      }),
    [viewer, open, unblock, navigate],
  );

  const busyText = (isBlocking && 'Blocking user...') || (isUnblocking && 'Unblocking user...') || null;
  return { dialogs, block, rowActions, busyText };
}

export type UserActions = ReturnType<typeof useUserActions>;
