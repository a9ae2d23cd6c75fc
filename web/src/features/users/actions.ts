import type { CurrentUser, User } from '@sluice/contract';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import {
  ApiKeyIcon,
  BlockIcon,
  EditIcon,
  ExplainIcon,
  GiveAccessIcon,
  PasswordIcon,
  ResetFactorIcon,
  UnblockIcon,
} from '#components/ui/action-icons.ts';
import { useConfirm } from '#components/ui/confirm.tsx';
import { showError, showSuccess } from '#components/ui/toasts.tsx';
import { messageOf } from '#lib/describe-failure.ts';
import { useDialogs } from '#lib/use-dialogs.ts';
import { useBlockUser, useResetSecondFactor, useUnblockUser } from './queries.ts';

export type DialogKind = 'edit' | 'block' | 'password' | 'api-key' | 'access';

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

  const resetSecondFactor = useSecondFactorReset();

  const rowActions = useMemo(
    () =>
      listUserActions(viewer, {
        edit: (user) => open('edit', user),
        block: (user) => open('block', user),
        unblock,
        giveAccess: (user) => open('access', user),
        showApiKey: (user) => open('api-key', user),
        setPassword: (user) => open('password', user),
        resetSecondFactor,
        explainAccess: ({ id }) => void navigate({ to: '/admin/provider-access', search: { explain: id } }),
      }),
    [viewer, open, unblock, resetSecondFactor, navigate],
  );

  const busyText = (isBlocking && 'Blocking user...') || (isUnblocking && 'Unblocking user...') || null;
  return { dialogs, block, rowActions, busyText };
}

function useSecondFactorReset() {
  const confirm = useConfirm();
  const { mutate: send } = useResetSecondFactor();
  return useCallback(
    async (user: User) => {
      const isAgreed = await confirm({
        title: `Reset the second factor of ${user.name}?`,
        message:
          'This removes the authenticator app, the passkeys and the recovery codes of this user and ends all sessions. Until a new factor is set up, the user signs in with the password only. Make sure that the request comes from this user.',
        confirmLabel: 'Reset second factor',
        isDanger: true,
      });
      if (!isAgreed) return;
      send(
        { params: { id: user.id } },
        {
          onSuccess: ({ name }) => showSuccess(`The second factor of ${name} is reset`),
          onError: (error) => showError(messageOf(error, 'Failed to reset the second factor')),
        },
      );
    },
    [confirm, send],
  );
}

export type UserActions = ReturnType<typeof useUserActions>;

export type UserAction = RowAction<User>;

interface UserHandlers {
  edit: (user: User) => void;
  block: (user: User) => void;
  unblock: (user: User) => void;
  giveAccess: (user: User) => void;
  showApiKey: (user: User) => void;
  setPassword: (user: User) => void;
  resetSecondFactor: (user: User) => void;
  explainAccess: (user: User) => void;
}

function listUserActions(viewer: CurrentUser, handlers: UserHandlers): readonly UserAction[] {
  const isOutOfReach = (user: User) => !mayManage(viewer, user);
  return [
    {
      name: 'Unblock',
      icon: UnblockIcon,
      run: handlers.unblock,
      isFrequent: true,
      isHidden: (user) => isOutOfReach(user) || !user.is_blocked,
    },
    {
      name: 'Give access',
      icon: GiveAccessIcon,
      run: handlers.giveAccess,
      isFrequent: true,
      isHidden: (user) => isOutOfReach(user) || user.missing.length === 0,
    },
    {
      name: 'Block',
      icon: BlockIcon,
      run: handlers.block,
      isFrequent: true,
      isDangerous: true,
      isHidden: (user) => isOutOfReach(user) || user.is_blocked || user.id === viewer.id,
    },
    { name: 'API key', icon: ApiKeyIcon, run: handlers.showApiKey, isButton: true },
    { name: 'Edit', icon: EditIcon, run: handlers.edit, isHidden: isOutOfReach },
    {
      name: 'Set password',
      icon: PasswordIcon,
      run: handlers.setPassword,
      isHidden: (user) => isOutOfReach(user) || user.kind === 'service',
    },
    {
      name: 'Reset second factor',
      icon: ResetFactorIcon,
      run: handlers.resetSecondFactor,
      isDangerous: true,
      isHidden: (user) => isOutOfReach(user) || !user.has_second_factor || user.id === viewer.id,
    },
    { name: 'Explain access', icon: ExplainIcon, run: handlers.explainAccess },
  ];
}

/** The server enforces the rule. The console hides actions that the server would reject. */
export function mayManage(viewer: CurrentUser, { role_name }: Pick<User, 'role_name'>): boolean {
  return viewer.role.name === 'super_admin' || role_name !== 'super_admin';
}
