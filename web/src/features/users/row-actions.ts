import type { CurrentUser, User } from '@sluice/contract';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import {
  ApiKeyIcon,
  BlockIcon,
  EditIcon,
  ExplainIcon,
  GiveAccessIcon,
  PasswordIcon,
  UnblockIcon,
} from '#components/ui/action-icons.ts';

export type UserAction = RowAction<User>;

export interface UserHandlers {
  edit: (user: User) => void;
  block: (user: User) => void;
  unblock: (user: User) => void;
  giveAccess: (user: User) => void;
  showApiKey: (user: User) => void;
  setPassword: (user: User) => void;
  explainAccess: (user: User) => void;
}

/** Actions that the viewer may take on a user. */
export function listUserActions(viewer: CurrentUser, handlers: UserHandlers): readonly UserAction[] {
  const isOutOfReach = (user: User) => !mayManage(viewer, user);
  return [
    { name: 'Edit', icon: EditIcon, run: handlers.edit, isInline: true, isHidden: isOutOfReach },
    {
      name: 'Block',
      icon: BlockIcon,
      run: handlers.block,
      isInline: true,
      isDangerous: true,
      isHidden: (user) => isOutOfReach(user) || user.is_blocked || user.id === viewer.id,
    },
    {
      name: 'Unblock',
      icon: UnblockIcon,
      run: handlers.unblock,
      isInline: true,
      isHidden: (user) => isOutOfReach(user) || !user.is_blocked,
    },
    {
      name: 'Give access',
      icon: GiveAccessIcon,
      run: handlers.giveAccess,
      isInline: true,
      isHidden: (user) => isOutOfReach(user) || user.missing.length === 0,
    },
    { name: 'API key', icon: ApiKeyIcon, run: handlers.showApiKey, isInline: true },
    {
      name: 'Set password',
      icon: PasswordIcon,
      run: handlers.setPassword,
      isHidden: isOutOfReach,
    },
    { name: 'Explain access', icon: ExplainIcon, run: handlers.explainAccess },
  ];
}

/** Whether the viewer may manage a user. The server decides; this hides actions that it would reject. */
export function mayManage(viewer: CurrentUser, { role_name }: Pick<User, 'role_name'>): boolean {
  return viewer.role.name === 'super_admin' || role_name !== 'super_admin';
}
