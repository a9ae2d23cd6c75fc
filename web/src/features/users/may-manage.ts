import type { CurrentUser, User } from '@sluice/contract';

/** Whether the viewer may act on a person; the server decides, this keeps what it would refuse out of sight. */
export function mayManage(viewer: CurrentUser, { role_name }: Pick<User, 'role_name'>): boolean {
  return viewer.role.name === 'super_admin' || role_name !== 'super_admin';
}
