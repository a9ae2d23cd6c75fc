import { randomUUID } from 'node:crypto';
import { type Client, grantTypes, signedInToolsRoutes } from '@sluice/contract';
import type pg from 'pg';
import { createSignedInToolsHandlers } from '#console/signed-in-tools/routes.ts';
import { createSystemDatabase } from '#db/system.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createTestConsole } from './console.ts';

type ToolsClient = Client<typeof signedInToolsRoutes>;

export interface ToolsConsole {
  as(principal?: Principal, address?: string): ToolsClient;
  pass(ms: number): void;
  poll(deviceCode: string, clientId?: string): ReturnType<ToolsClient['issueToolToken']>;
  refresh(token: string): ReturnType<ToolsClient['issueToolToken']>;
}

export const clientId = 'sluice-cli';

export function createToolsConsole(pool: pg.Pool): ToolsConsole {
  let aheadMs = 0;
  const handlers = createSignedInToolsHandlers({
    database: createSystemDatabase(pool),
    keyring: createKeyring('test'),
    clock: () => Date.now() + aheadMs,
    publicUrl: 'https://sluice.one.test',
  });
  const console = createTestConsole(pool, signedInToolsRoutes, handlers);
  const as = (principal?: Principal, address = '192.0.2.1') =>
    console({ address, userAgent: 'sluice/0.2', ...(principal && { principal }) });
  return {
    as,
    pass(ms) {
      aheadMs += ms;
    },
    poll: (deviceCode, id = clientId) =>
      as().issueToolToken({
        form: { grant_type: grantTypes.deviceCode, device_code: deviceCode, client_id: id },
      }),
    refresh: (token) =>
      as().issueToolToken({
        form: { grant_type: grantTypes.refreshToken, refresh_token: token, client_id: clientId },
      }),
  };
}

/** Returns the user with the session. */
export async function openSessionOf(pool: pg.Pool, person: Principal): Promise<Principal> {
  const sessionId = randomUUID();
  await pool.query(
    `INSERT INTO sessions (id, tenant_id, user_id, address, user_agent, expires_at)
     VALUES ($1, $2, $3, '192.0.2.7', 'a browser', now() + interval '12 hours')`,
    [sessionId, person.tenantId, person.userId],
  );
  return { ...person, credential: { kind: 'session', sessionId } };
}

export async function assignTask(
  pool: pg.Pool,
  { tenantId, userId }: Principal,
  title = 'Write tests',
): Promise<{ id: number; taskId: number }> {
  const { rows } = await pool.query<{ id: number; taskId: number }>(
    `WITH task AS (
       INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
       VALUES ($1, $3, 'A task of the tests', 'coding', 'beginner', 1) RETURNING id
     )
     INSERT INTO task_assignments (tenant_id, task_id, user_id) SELECT $1, id, $2 FROM task
     RETURNING id, task_id AS "taskId"`,
    [tenantId, userId, title],
  );
  return rows[0]!;
}
