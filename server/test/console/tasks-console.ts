import { tasksRoutes } from '@sluice/contract';
import { createTasksHandlers } from '#console/tasks/routes.ts';
import type { Principal } from '#domain/principal.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { addPerson, addTenant, createTestConsole } from './console.ts';

export interface TasksConsole {
  readonly database: TestDatabase;
  readonly as: (principal: Principal) => ReturnType<ReturnType<typeof createTestConsole<typeof tasksRoutes>>>;
  readonly tenantId: number;
  readonly admin: Principal;
  readonly mara: Principal;
  readonly tom: Principal;
  readonly stranger: Principal;
}

export async function createTasksConsole(): Promise<TasksConsole> {
  const database = await createTestDatabase();
  const { pool } = database;
  const console = createTestConsole(pool, tasksRoutes, createTasksHandlers());
  const tenantId = await addTenant(pool, 'One');
  return {
    database,
    as: (principal) => console({ principal }),
    tenantId,
    admin: await addPerson(pool, tenantId, 'admin', 'admin@one.test'),
    mara: await addPerson(pool, tenantId, 'user', 'mara@one.test'),
    tom: await addPerson(pool, tenantId, 'user', 'tom@one.test'),
    stranger: await addPerson(pool, await addTenant(pool, 'Two'), 'admin', 'admin@two.test'),
  };
}

export const parser = { title: 'Write the parser', description: 'A parser for the new format' };
