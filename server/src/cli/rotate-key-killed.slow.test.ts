import { expect, inject, it } from 'vitest';
import { createClusterDatabase } from '#test/database/cluster-database.ts';
import { killRotations } from '#test/load/rotation-rounds.ts';

it('rotate-key leaves every secret readable if runs are killed or overlap with the next one', {
  timeout: 240_000,
}, async () => {
  const database = await createClusterDatabase(inject('clusterUrl'), inject('templateDatabase'));
  try {
    const { pool, connectionString } = database;
    const options = { pool, connectionString, kills: 7, instances: 60, random: Math.random };
    expect(await killRotations(options)).toMatchObject({
      kills: 7,
      overtaken: 2,
      finished: 1,
      unreadable: 0,
      forgottenKeys: 0,
    });
  } finally {
    await database.close();
  }
});
