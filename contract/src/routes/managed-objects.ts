import { z } from 'zod';
import { defineRoutes } from '../route.ts';

/** Number of objects of one kind that a configuration file manages. These objects can be changed only in the file. */
export const managedObjects = z.object({
  /** Object kind, such as `team`, `budget` or `provider`. */
  kind: z.string(),
  /** Path of the file as given to `sluice apply` or in `SLUICE_CONFIG`. */
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
