import type { Config } from '#config/config.ts';
import { createPool } from '#db/pool.ts';
import { Replica } from '#db/replica/replica.ts';
import { type Check, fail, ok, warn } from './check.ts';

export async function checkReplica(
  { url, lagMaxMs }: NonNullable<Config['replica']>,
  primaryConnectionString: string,
): Promise<Check> {
  const primary = createPool(primaryConnectionString, 1, 'sluice-doctor');
  const options = { connectionString: url, lagMaxMs, primary, connections: 1, log: null };
  const replica = new Replica(options);
  try {
    const { state, problem } = await replica.whenProbed();
    const name = 'read replica';
    if (state === 'in_use') return ok(name, 'lists and reports are read from the replica');
    const finding = problem ?? 'the state of the replica could not be determined';
    const fix = 'Until this is fixed, the primary is read (docs/operating/standby.md).';
    return state === 'refused' ? fail(name, finding, fix) : warn(name, finding, fix);
  } finally {
    await replica.close();
    await primary.end();
  }
}
