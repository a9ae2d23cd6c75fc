import { randomUUID } from 'node:crypto';
import { userCodeLetters } from '@sluice/contract';
import { hashUserCode } from '#console/signed-in-tools/authorize-device.ts';
import { testKeyring } from '../console/console-server.ts';
import type { Caller } from './callers.ts';
import type { ObjectKind } from './object-kind.ts';
import { proveSession } from './own-factors.ts';
import { addTask, addTaskOf, type World } from './world.ts';

let codesCount = 0;

function makeUserCode(): string {
  let left = ++codesCount;
  return Array.from({ length: 8 }, () => {
    const letter = userCodeLetters.charAt(left % userCodeLetters.length);
    left = Math.floor(left / userCodeLetters.length);
    return letter;
  }).join('');
}

/** Returns the user code. */
async function addPendingTool(world: World, caller: Caller): Promise<string> {
  await proveSession(world, caller);
  const code = makeUserCode();
  await world.pool.query(
    `INSERT INTO device_codes (device_code_hash, user_code_hash, client_id, device_name, address, network, user_agent, expires_at)
     VALUES (uuid_send(gen_random_uuid()), $1, 'sluice-cli', 'laptop', '192.0.2.1', '192.0.2.1', 'test', now() + interval '1 hour')`,
    [hashUserCode(testKeyring, code)],
  );
  return code;
}

/** Assigns to another user if the caller is not signed in. Returns the assignment's id. */
async function addOwnAssignment(world: World, { tenant, userId }: Caller): Promise<number> {
  if (userId === null) return 2_147_483_647;
  const taskId = await addTaskOf(world, tenant, userId);
  const { rows } = await world.pool.query<{ id: number }>(
    'SELECT id FROM task_assignments WHERE task_id = $1 AND user_id = $2',
    [taskId, userId],
  );
  return rows[0]!.id;
}

const signedInTool: ObjectKind = {
  name: 'signed-in tool',
  async make(world, { tenant, userId }) {
    const { rows } = await world.pool.query<{ id: number }>(
      `INSERT INTO signed_in_tools (tenant_id, user_id, client_id, device_name, address, user_agent, task_id, session_id, expires_at)
       VALUES ($1, $2, 'sluice-cli', $3, '192.0.2.1', 'test', $4, $5, now() + interval '1 hour') RETURNING id`,
      [tenant.id, userId, tenant.marker, await addTask(world, tenant), randomUUID()],
    );
    return String(rows[0]!.id);
  },
  missingId: () => '2147483647',
  isHidden: (_role, owner) => owner === 'other user',
};

/** Administrators see the signed-in tools of their users. */
const toolOfUser: ObjectKind = {
  name: 'signed-in tool of a user',
  make: async (world, wanted) => `${wanted.userId}/signed-in-tools/${await signedInTool.make(world, wanted)}`,
  missingId: () => '2147483647/signed-in-tools/2147483647',
};

export const kindsOfTools: Readonly<Record<string, ObjectKind>> = {
  '/user/signed-in-tools/{id}': signedInTool,
  '/admin/users/{id}/signed-in-tools/{toolId}': toolOfUser,
};

export const toolInputs = {
  authorizeDevice: () => ({ form: { client_id: 'sluice-cli', device_name: 'laptop' } }),
  issueToolToken: () => ({
    form: { grant_type: 'refresh_token', client_id: 'sluice-cli', refresh_token: 'unknown' },
    status: 400,
  }),
  revokeToolToken: () => ({ form: { token: 'unknown' } }),
  findPendingTool: async (world: World, caller: Caller) => ({
    body: { user_code: await addPendingTool(world, caller) },
  }),
  allowTool: async (world: World, caller: Caller) => ({
    body: {
      user_code: await addPendingTool(world, caller),
      task_id: await addOwnAssignment(world, caller),
    },
  }),
  denyTool: async (world: World, caller: Caller) => ({
    body: { user_code: await addPendingTool(world, caller) },
  }),
};
