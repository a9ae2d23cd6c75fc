import type { CurrentUser, User } from '@sluice/contract';

/** Whether the viewer may manage a user. The server decides; this hides actions that it would reject. */
export function mayManage(viewer: CurrentUser, { role_name }: Pick<User, 'role_name'>): boolean {
  return viewer.role.name === 'super_admin' || role_name !== 'super_admin';
}
