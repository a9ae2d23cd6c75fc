import type { rolesRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read } from '#http/verbs.ts';
import { listRoles } from './list.ts';

export function createRolesHandlers(): Handlers<typeof rolesRoutes> {
  return { listRoles: read(listRoles) };
}
