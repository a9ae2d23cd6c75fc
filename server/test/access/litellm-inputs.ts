import type { Caller } from './callers.ts';
import { type MakeInput, newName } from './row-input.ts';
import { addMember, addNamedKey, addTeam, type World } from './world.ts';

const addKeyOfMember = async (world: World, { tenant }: Caller) =>
  String(await addNamedKey(world, tenant, (await addMember(world, tenant, 'user')).userId));

export const litellmInputs: Readonly<Record<string, MakeInput>> = {
  generateLitellmKey: async (world, { tenant }) => ({
    body: { user_id: (await addMember(world, tenant, 'user')).userId, key_alias: newName() },
  }),
  getLitellmKey: async (world, caller) => ({ query: { key: await addKeyOfMember(world, caller) } }),
  updateLitellmKey: async (world, caller) => ({
    body: { key: await addKeyOfMember(world, caller), key_alias: newName() },
  }),
  deleteLitellmKeys: async (world, caller) => ({ body: { keys: [await addKeyOfMember(world, caller)] } }),
  blockLitellmKey: async (world, caller) => ({ body: { key: await addKeyOfMember(world, caller) } }),
  createLitellmUser: () => ({ body: { user_email: `${newName()}@new.test`, auto_create_key: false } }),
  getLitellmUser: async (world, { tenant }) => ({
    query: { user_id: String((await addMember(world, tenant, 'user')).userId) },
  }),
  createLitellmTeam: () => ({ body: { team_alias: newName() } }),
  getLitellmTeam: async (world, { tenant, userId }) => {
    const teamId = await addTeam(world, tenant);
    await world.pool.query(
      `INSERT INTO team_members (tenant_id, team_id, user_id, role)
       SELECT tenant_id, $2, id, 'admin' FROM users WHERE tenant_id = $1 AND id = $3`,
      [tenant.id, teamId, userId],
    );
    return { query: { team_id: String(teamId) } };
  },
  getLitellmSpendReport: () => ({ query: { start_date: '2026-01-01', end_date: '2026-01-31' } }),
};
