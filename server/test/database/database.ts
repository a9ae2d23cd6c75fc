import { inject } from 'vitest';
import { createClusterDatabase, type TestDatabase } from './cluster-database.ts';

export type { TestDatabase };

/** Creates a fresh, migrated database in the shared cluster. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createClusterDatabase(inject('clusterUrl'), inject('templateDatabase'));
}
