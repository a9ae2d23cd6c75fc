import type { RouteRow } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type RunningServer, startWorker } from '../console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { type Attempt, createPreparer, rows, send, workerVariables } from './attempts.ts';
import { callerKinds } from './callers.ts';
import { createWorld } from './world.ts';

const operator = callerKinds.find(({ name }) => name === 'super_admin')!;

function findPasswordField({ request }: RouteRow): string | undefined {
  if (!(request?.body instanceof z.ZodObject)) return undefined;
  return Object.keys(request.body.shape).find((field) => /password$/.test(field) && !/^current/.test(field));
}

const verifying = ['confirmSignup', 'confirmPassword'];

const settingPasswords = rows.flatMap(([rowName, row]) => {
  const field = findPasswordField(row);
  return field && !verifying.includes(rowName) ? [{ rowName, row, field }] : [];
});

let database: TestDatabase;
let worker: RunningServer;
const attempts = new Map<string, Attempt>();

beforeAll(async () => {
  database = await createTestDatabase();
  const prepare = createPreparer(await createWorld(database.pool));
  for (const { rowName, row } of settingPasswords) {
    const prepared = await prepare({ rowName, row, kind: operator });
    attempts.set(rowName, prepared.find(({ owner }) => owner === 'other user') ?? prepared[0]!);
  }
  const { connectionString } = database;
  worker = await startWorker({ connectionString, variables: workerVariables });
});
afterAll(async () => {
  await worker.close();
  await database.close();
});

describe('a common password', () => {
  it('the list of routes that set a password includes those of administrators and invitations', () => {
    const names = settingPasswords.map(({ rowName }) => rowName);
    expect(names).toEqual(expect.arrayContaining(['createUser', 'changeUserPassword', 'acceptInvitation']));
  });

  it.each(settingPasswords)('a common password is rejected by $rowName', async ({ rowName, row, field }) => {
    const { input, ...attempt } = attempts.get(rowName)!;
    for (const common of ['password1', 'PassWord']) {
      const body = { ...input.body, [field]: common };
      const answer = await send(worker.origin, row, { ...attempt, input: { ...input, body } });
      expect(JSON.parse(answer.body)).toEqual({
        detail: [
          {
            loc: ['body', field],
            msg: 'This password is too common. Please choose another one.',
            type: 'value_error',
          },
        ],
      });
      expect(answer.status).toBe(422);
    }
  });
});
