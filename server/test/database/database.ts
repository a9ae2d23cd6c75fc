import { inject } from 'vitest';
import { createClusterDatabase, type TestDatabase } from './cluster-database.ts';

export type { TestDatabase };

export function createTestDatabase(): Promise<TestDatabase> {
  return createClusterDatabase(inject('clusterUrl'), inject('templateDatabase'));
}
