import { contract, type RouteRow } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { addCaller, callerKinds } from './callers.ts';
import { makeInput } from './inputs.ts';
import { describeMatrix } from './matrix.ts';
import { objectKindOf } from './objects.ts';
import { createWorld, type World } from './world.ts';

describeMatrix();

describe('matrix with a new route', () => {
  let database: TestDatabase;
  let world: World;
  beforeAll(async () => {
    database = await createTestDatabase();
    world = await createWorld(database.pool);
  });
  afterAll(() => database.close());

  const row: RouteRow = { ...contract.users.updateUser, path: '/admin/rockets/{id}' };

  it('matrix fails for a route without input and names the place to add it', async () => {
    const caller = await addCaller(world, callerKinds[0]!);
    const made = makeInput(world, 'launchRocket', contract.users.createUser, caller);
    await expect(made).rejects.toThrow(
      'the access matrix has no input for launchRocket: add a valid one to server/test/access/inputs.ts',
    );
  });

  it('matrix fails for a route without an object and names the place to add it', () => {
    expect(() => objectKindOf('launchRocket', row)).toThrow(
      'the access matrix cannot make what launchRocket names in /admin/rockets/{id}: add it to server/test/access/objects.ts',
    );
  });
});
