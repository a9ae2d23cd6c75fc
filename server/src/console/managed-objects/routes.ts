import type { managedObjectsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read } from '#http/verbs.ts';
import { listManagedObjects } from './list.ts';

export function createManagedObjectsHandlers(): Handlers<typeof managedObjectsRoutes> {
  return { listManagedObjects: read(listManagedObjects) };
}
