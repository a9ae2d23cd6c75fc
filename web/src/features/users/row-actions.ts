import type { CurrentUser, User } from '@sluice/contract';
import { Ban, CircleCheck, KeyRound, LockKeyhole, Pencil, Waypoints } from 'lucide-react';
import type { RowAction } from '../../components/data-table/row-action.ts';
import { mayManage } from './may-manage.ts';

export type UserAction = RowAction<User>;

export interface UserHandlers {
  edit: (user: User) => void;
  block: (user: User) => void;
  unblock: (user: User) => void;
  showApiKey: (user: User) => void;
  setPassword: (user: User) => void;
  explainAccess: (user: User) => void;
}

/** What the viewer can do to a user; nothing that the server would refuse. */
export function listUserActions(viewer: CurrentUser, handlers: UserHandlers): readonly UserAction[] {
  const isOutOfReach = (user: User) => !mayManage(viewer, user);
  return [
    { name: 'Edit', icon: Pencil, run: handlers.edit, isInline: true, isHidden: isOutOfReach },
    {
      name: 'Block',
      icon: Ban,
      run: handlers.block,
      isInline: true,
      isDangerous: true,
      isHidden: (user) => isOutOfReach(user) || user.is_blocked || user.id === viewer.id,
    },
    {
      name: 'Unblock',
      icon: CircleCheck,
      run: handlers.unblock,
      isInline: true,
      isHidden: (user) => isOutOfReach(user) || !user.is_blocked,
    },
    { name: 'API key', icon: KeyRound, run: handlers.showApiKey, isInline: true },
    {
      name: 'Set password',
      icon: LockKeyhole,
      run: handlers.setPassword,
      isHidden: isOutOfReach,
    },
    { name: 'Explain access', icon: Waypoints, run: handlers.explainAccess },
  ];
}
