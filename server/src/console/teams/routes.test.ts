import { type Client, teamsRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { createTeamsHandlers } from './routes.ts';

let database: TestDatabase;
let as: (principal: Principal) => Client<typeof teamsRoutes>;
let tenantId: number;
let admin: Principal;
let lead: Principal;
let mara: Principal;
let stranger: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const console = createTestConsole(database.pool, teamsRoutes, createTeamsHandlers());
  as = (principal) => console({ principal });
});
afterAll(() => database.close());

beforeEach(async () => {
  await emptyTables(database, 'tenants');
  tenantId = await addTenant(database.pool, 'One');
  admin = await addPerson(database.pool, tenantId, 'admin', 'admin@one.test');
  lead = await addPerson(database.pool, tenantId, 'user', 'lead@one.test');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  const other = await addTenant(database.pool, 'Two');
  stranger = await addPerson(database.pool, other, 'admin', 'admin@two.test');
});

const notFound = { status: 404, detail: 'Team not found' };

async function createLedTeam(name = 'Blue'): Promise<number> {
  const { id } = await as(admin).createTeam({ body: { name, description: 'Builds things' } });
  await as(admin).addTeamMember({ params: { id }, body: { user_id: lead.userId, role: 'admin' } });
  return id;
}

describe('a team', () => {
  it('createTeam creates an active, empty team and stores a blank description as null', async () => {
    const created = await as(admin).createTeam({ body: { name: ' Blue ', description: ' ' } });
    expect(created).toMatchObject({
      name: 'Blue',
      description: null,
      is_active: true,
      member_count: 0,
      admin_count: 0,
    });
    expect(await as(admin).getTeam({ params: { id: created.id } })).toEqual({ ...created, members: [] });
  });

  it('createTeam requires a name unique in the tenant, ignoring case', async () => {
    await as(admin).createTeam({ body: { name: 'Blue' } });
    const { id } = await as(admin).createTeam({ body: { name: 'Red' } });
    const taken = {
      status: 422,
      detail: [{ loc: ['body', 'name'], msg: 'A team with this name already exists', type: 'value_error' }],
    };
    await expect(as(admin).createTeam({ body: { name: 'BLUE' } })).rejects.toMatchObject(taken);
    await expect(as(admin).updateTeam({ params: { id }, body: { name: 'blue' } })).rejects.toMatchObject(
      taken,
    );
    await expect(as(stranger).createTeam({ body: { name: 'Blue' } })).resolves.toMatchObject({
      name: 'Blue',
    });
  });

  it('updateTeam changes only the given fields', async () => {
    const id = await createLedTeam();
    const renamed = await as(admin).updateTeam({ params: { id }, body: { name: 'Azure' } });
    expect(renamed).toMatchObject({ name: 'Azure', description: 'Builds things', is_active: true });
    const emptied = await as(admin).updateTeam({ params: { id }, body: { description: '' } });
    expect(emptied).toMatchObject({ name: 'Azure', description: null });
    expect(await as(admin).updateTeam({ params: { id }, body: {} })).toEqual(emptied);
    const rested = await as(admin).updateTeam({ params: { id }, body: { is_active: false } });
    expect(rested).toMatchObject({ name: 'Azure', is_active: false });
  });

  it('deleteTeam deletes the team with its members, once', async () => {
    const id = await createLedTeam();
    await as(admin).deleteTeam({ params: { id } });
    await expect(as(admin).getTeam({ params: { id } })).rejects.toMatchObject(notFound);
    await expect(as(admin).deleteTeam({ params: { id } })).rejects.toMatchObject(notFound);
    const { rows } = await database.pool.query('SELECT id FROM team_members');
    expect(rows).toEqual([]);
  });

  it.each([
    [{ name: '' }, 'Team name is required'],
    [{ name: ' x ' }, 'Team name must be at least 2 characters'],
    [{ name: 'x'.repeat(101) }, 'Team name must be less than 100 characters'],
    [{ name: 'Blue', description: 'x'.repeat(501) }, 'Description must be less than 500 characters'],
  ])('createTeam rejects %j', (body, words) => {
    const parsed = teamsRoutes.createTeam.request.body.safeParse(body);
    expect(parsed.error?.issues.map(({ message }) => message)).toContain(words);
  });
});

describe('listTeams', () => {
  it("listTeams returns a page of the tenant's teams by name with the total", async () => {
    for (const name of ['gamma', 'Beta', 'alpha']) await as(admin).createTeam({ body: { name } });
    await as(stranger).createTeam({ body: { name: 'Foreign' } });
    const { teams, total } = await as(admin).listTeams({ query: { skip: 1, limit: 1 } });
    expect([teams.map(({ name }) => name), total]).toEqual([['Beta'], 3]);
  });

  it('listTeams returns the members of each team, like getTeam', async () => {
    const ids = [await createLedTeam('Blue'), await createLedTeam('Green')];
    await as(admin).addTeamMember({ params: { id: ids[1] ?? 0 }, body: { user_id: mara.userId } });
    await as(admin).createTeam({ body: { name: 'Red' } });
    const { teams } = await as(admin).listTeams({});
    expect(teams.map(({ members }) => members?.map(({ user_id }) => user_id))).toEqual([
      [lead.userId],
      [lead.userId, mara.userId],
      [],
    ]);
    for (const team of teams) expect(await as(admin).getTeam({ params: { id: team.id } })).toEqual(team);
  });

  it('listTeams searches name and description literally, and filters by state', async () => {
    await as(admin).createTeam({ body: { name: 'Alpha', description: '100% remote' } });
    const { id } = await as(admin).createTeam({ body: { name: 'Remote_2' } });
    await as(admin).updateTeam({ params: { id }, body: { is_active: false } });
    const find = async (query: { search?: string; is_active?: 'true' | 'false' }) =>
      (await as(admin).listTeams({ query })).teams.map(({ name }) => name);
    expect(await find({ search: 'REMOTE' })).toEqual(['Alpha', 'Remote_2']);
    expect(await find({ search: '0%' })).toEqual(['Alpha']);
    expect(await find({ search: '%2' })).toEqual([]);
    expect(await find({ is_active: 'true' })).toEqual(['Alpha']);
    expect(await find({ is_active: 'false', search: 'e_2' })).toEqual(['Remote_2']);
  });

  it('listTeams counts only active members and administrators', async () => {
    const id = await createLedTeam();
    await as(admin).addTeamMember({ params: { id }, body: { user_id: mara.userId } });
    expect((await as(admin).listTeams({})).teams).toMatchObject([{ member_count: 2, admin_count: 1 }]);
    await as(admin).updateTeamMember({
      params: { id, userId: lead.userId },
      body: { is_active: false },
    });
    expect((await as(admin).listTeams({})).teams).toMatchObject([{ member_count: 1, admin_count: 0 }]);
  });
});

describe('team members', () => {
  it('addTeamMember adds a plain member by default', async () => {
    const id = await createLedTeam();
    const added = await as(admin).addTeamMember({ params: { id }, body: { user_id: mara.userId } });
    expect(added).toMatchObject({
      user_id: mara.userId,
      user_name: 'mara',
      user_email: 'mara@one.test',
      role: 'member',
      is_active: true,
    });
    const members = await as(admin).listTeamMembers({ params: { id } });
    expect(members).toMatchObject([{ user_id: lead.userId, role: 'admin' }, added]);
    expect((await as(admin).getTeam({ params: { id } })).members).toEqual(members);
  });

  it('addTeamMember adds a user once under concurrent calls', async () => {
    const id = await createLedTeam();
    const adds = Array.from({ length: 20 }, () =>
      as(admin).addTeamMember({ params: { id }, body: { user_id: mara.userId } }),
    );
    const outcomes = await Promise.allSettled(adds);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({
          status: 409,
          detail: 'This user is already a member of the team',
        });
      }
    }
  });

  it('addTeamMember reactivates an inactive member with the given role', async () => {
    const id = await createLedTeam();
    const params = { id, userId: mara.userId };
    const first = await as(admin).addTeamMember({ params, body: { user_id: mara.userId } });
    await as(admin).updateTeamMember({ params, body: { is_active: false } });
    const again = await as(admin).addTeamMember({ params, body: { user_id: mara.userId, role: 'admin' } });
    expect(again).toEqual({ ...first, role: 'admin' });
  });

  it('addTeamMember rejects users of another tenant, and team routes return 404 to callers of another tenant', async () => {
    const id = await createLedTeam();
    for (const user_id of [stranger.userId, 2_147_483_647]) {
      await expect(as(admin).addTeamMember({ params: { id }, body: { user_id } })).rejects.toMatchObject({
        status: 404,
        detail: 'User not found',
      });
    }
    const acts = [
      as(stranger).addTeamMember({ params: { id }, body: { user_id: stranger.userId } }),
      as(stranger).getTeam({ params: { id } }),
      as(stranger).deleteTeam({ params: { id } }),
    ];
    await Promise.all(acts.map((act) => expect(act).rejects.toMatchObject(notFound)));
  });

  it('removeTeamMember removes a member, who then cannot be updated', async () => {
    const id = await createLedTeam();
    const params = { id, userId: lead.userId };
    await as(admin).removeTeamMember({ params });
    expect(await as(admin).listTeamMembers({ params })).toEqual([]);
    const gone = { status: 404, detail: 'Team member not found' };
    await expect(as(admin).removeTeamMember({ params })).rejects.toMatchObject(gone);
    await expect(as(admin).updateTeamMember({ params, body: {} })).rejects.toMatchObject(gone);
  });

  it('listUsersAvailableForTeam lists active users who are not active members', async () => {
    const id = await createLedTeam();
    const { userId: goneId } = await addPerson(database.pool, tenantId, 'user', 'gone@one.test');
    await database.pool.query('UPDATE users SET is_active = false WHERE id = $1', [goneId]);
    await database.pool.query('UPDATE users SET is_blocked = true WHERE id = $1', [mara.userId]);
    const available = () => as(admin).listUsersAvailableForTeam({ params: { id } });
    expect(await available()).toEqual([
      { id: admin.userId, name: 'admin', email: 'admin@one.test', is_blocked: false },
      { id: mara.userId, name: 'mara', email: 'mara@one.test', is_blocked: true },
    ]);
    await as(admin).updateTeamMember({ params: { id, userId: lead.userId }, body: { is_active: false } });
    expect((await available()).map((person) => person.id)).toContain(lead.userId);
  });
});

describe('a team administrator with role user', () => {
  it('team routes let a team administrator see and manage only that team and its members', async () => {
    const id = await createLedTeam();
    await as(admin).createTeam({ body: { name: 'Red' } });
    expect(await as(lead).listTeams({})).toMatchObject({ teams: [{ id }], total: 1 });
    expect(await as(lead).updateTeam({ params: { id }, body: { name: 'Azure' } })).toMatchObject({ id });
    await as(lead).addTeamMember({ params: { id }, body: { user_id: mara.userId } });
    const params = { id, userId: mara.userId };
    expect(await as(lead).updateTeamMember({ params, body: { role: 'admin' } })).toMatchObject({
      role: 'admin',
    });
    expect(await as(mara).listTeams({})).toMatchObject({ total: 1 });
    await as(lead).removeTeamMember({ params });
    await expect(as(mara).getTeam({ params: { id } })).rejects.toMatchObject(notFound);
  });

  it('updateTeam does not let a team administrator deactivate or activate the team', async () => {
    const id = await createLedTeam();
    await expect(
      as(lead).updateTeam({ params: { id }, body: { name: 'Azure', is_active: false } }),
    ).rejects.toMatchObject({ status: 403, detail: 'Only administrators can activate and deactivate teams' });
    expect(await as(lead).updateTeam({ params: { id }, body: { is_active: true } })).toMatchObject({
      name: 'Blue',
    });
  });

  it('team routes return 404 to plain members, and while the team or the membership is inactive', async () => {
    const id = await createLedTeam();
    const params = { id, userId: lead.userId };
    const expectNobody = async () => {
      expect(await as(lead).listTeams({})).toEqual({ teams: [], total: 0 });
      const acts = [
        as(lead).getTeam({ params }),
        as(lead).updateTeam({ params, body: { name: 'Mine' } }),
        as(lead).listTeamMembers({ params }),
        as(lead).addTeamMember({ params, body: { user_id: mara.userId } }),
        as(lead).updateTeamMember({ params, body: { is_active: true, role: 'admin' } }),
        as(lead).removeTeamMember({ params }),
        as(lead).listUsersAvailableForTeam({ params }),
      ];
      await Promise.all(acts.map((act) => expect(act).rejects.toMatchObject(notFound)));
    };
    await as(admin).updateTeam({ params, body: { is_active: false } });
    await expectNobody();
    await as(admin).updateTeam({ params, body: { is_active: true } });
    await as(admin).updateTeamMember({ params, body: { is_active: false } });
    await expectNobody();
    await as(admin).updateTeamMember({ params, body: { is_active: true, role: 'member' } });
    await expectNobody();
    await as(admin).updateTeamMember({ params, body: { role: 'admin' } });
    expect(await as(lead).getTeam({ params })).toMatchObject({ id });
  });
});
