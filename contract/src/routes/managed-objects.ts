import { z } from 'zod';
import { defineRoutes } from '../route.ts';

/** These objects can be changed only in the configuration file that manages them. */
export const managedObjects = z.object({
  /** Example: `team`, `budget` or `provider`. */
  kind: z.string(),
  /** Path as given to `sluice apply` or in `SLUICE_CONFIG`. */
  file: z.string(),
  objects: z.number().int(),
});

export type ManagedObjects = z.infer<typeof managedObjects>;

export const managedObjectsRoutes = defineRoutes({
  listManagedObjects: {
    method: 'GET',
    path: '/admin/managed-objects',
    surface: 'management',
    permission: 'settings.read',
    summary: 'Count the objects of each kind that configuration files manage',
    response: z.array(managedObjects),
  },
});
