import { createClient, type Team, teamsRoutes } from '@sluice/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitAs, visitConsole } from './console.ts';
import { chooseOption } from './select-field.ts';
import { describeMember, describeTeam, drawer, openTeams, teamAddress, teamsAddress } from './teams-page.ts';
import { actFromMenu, answer, callsAs, hold, pick } from './users-page.ts';
import { signIn } from './visit.ts';

const viewport = { width: 1440, height: 820 };
const names = ['Maya Ortiz', 'Jonas Weber', 'Aiko Tanaka', 'Priya Nair', 'Tom Keller', 'Ida Berg', 'Leo Roy'];

let calls: ReturnType<typeof createClient<typeof teamsRoutes>>;
const idOf = new Map<string, number>();

startConsole();
beforeAll(async () => {
  const headers = () => ({ authorization: `Bearer ${token}` });
  calls = createClient(teamsRoutes, { baseUrl: sluice.url, headers });
  const { users } = callsAs(token, sluice);
  for (const name of names) {
    const email = `${name.split(' ')[0]?.toLowerCase()}@northwind.dev`;
    const { id } = await users.createUser({ body: { name, email, password: 'secret1', role_id: 3 } });
    idOf.set(name, id);
  }
});

visitConsole({ viewport });

let teamCount = 0;

async function addTeam(members: readonly string[] = [], role: 'member' | 'admin' = 'member'): Promise<Team> {
  teamCount++;
  const team = await calls.createTeam({ body: { name: `Team ${teamCount}`, description: 'Made by a test' } });
  for (const name of members) {
    await calls.addTeamMember({ params: { id: team.id }, body: { user_id: idOf.get(name) ?? 0, role } });
  }
  return team;
}

const row = (name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const figures = () => page.getByRole('region', { name: 'Teams by status' }).locator('dd').allInnerTexts();
const readTeam = ({ id }: Team) => calls.getTeam({ params: { id } });

describe('deleting a team', () => {
  it('deleting a team asks for confirmation, shows what its members lose, and removes it from the list', async () => {
    const team = await addTeam(['Maya Ortiz']);
    await openTeams(page);
    await actFromMenu(page, 'Delete', team.name);
    const question = dialog(`Delete ${team.name}?`);
    await question
      .getByText(/The LLM access granted through it ends immediately for its 1 member\./)
      .waitFor();
    await question.getByRole('button', { name: 'Delete team' }).click();
    await page.getByText(`${team.name} was deleted`).waitFor();
    await row(team.name).waitFor({ state: 'detached' });
    await expect(readTeam(team)).rejects.toMatchObject({ status: 404 });
  });

  itSampled(2).each([
    ['with the message of the server', { detail: 'The team is in use' }, 'The team is in use'],
    ['with a fallback message', null, 'Failed to delete team'],
  ])('deleting a team shows why it failed: %s', async (_case, body, told) => {
    const team = await addTeam();
    await page.route(teamAddress, (route) => (body ? answer(409, body)(route) : route.abort()));
    await openTeams(page);
    await actFromMenu(page, 'Delete', team.name);
    await dialog(`Delete ${team.name}?`).getByRole('button', { name: 'Delete team' }).click();
    await page.getByText(told, { exact: true }).waitFor();
    await row(team.name).waitFor();
  });
});

describe('Teams', () => {
  itAtFullSize('the team page shows an empty state and creates the first team', async () => {
    for (const { id } of (await calls.listTeams({ query: {} })).teams)
      await calls.deleteTeam({ params: { id } });
    await openTeams(page);
    await page.getByText('No teams yet', { exact: true }).waitFor();
    await expect.poll(figures).toEqual(['0', '0', '0']);
    await page.getByRole('table').getByRole('button', { name: 'Create Team' }).click();
    const form = dialog('Create Team');
    await form.getByText('0/500', { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Create Team' }).click();
    await form.getByText('Team name is required', { exact: true }).waitFor();
    await form.getByLabel('Team Name').fill(' P ');
    await form.getByLabel('Description').fill('x'.repeat(501));
    await form.getByText('501/500', { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Create Team' }).click();
    await form.getByText('Team name must be at least 2 characters', { exact: true }).waitFor();
    await form.getByText('Description must be less than 500 characters', { exact: true }).waitFor();
    await form.getByLabel('Team Name').fill('  Platform  ');
    await form.getByLabel('Description').fill('');
    await form.getByRole('button', { name: 'Create Team' }).click();
    await row('Platform').waitFor();
    await form.waitFor({ state: 'detached' });
    await expect.poll(figures).toEqual(['1', '1', '0']);
    const headings = await page.getByRole('columnheader').allTextContents();
    expect(headings).toEqual([
      'Team Name',
      'Description',
      'Members',
      'Admins',
      'Status',
      'Created',
      'Cost this month',
      'Top user',
      'Models',
      'Actions',
    ]);
    const cells = await row('Platform').getByRole('cell').allInnerTexts();
    expect(cells.slice(1, 5)).toEqual(['No description', '0', '0', 'Active']);
  });

  itAtFullSize('the team page changes the name of a team and shows a server error at the field', async () => {
    const { name } = await addTeam();
    await openTeams(page);
    await actFromMenu(page, 'Edit', name);
    const form = dialog('Edit Team');
    const save = form.getByRole('button', { name: 'Update Team' });
    expect(await save.isDisabled()).toBe(true);
    await form.getByLabel('Team Name').fill('Platform');
    await save.click();
    await form.getByText('A team with this name already exists', { exact: true }).waitFor();
    await form.getByLabel('Team Name').fill(`${name} renamed`);
    await save.click();
    await row(`${name} renamed`).waitFor();
    await form.waitFor({ state: 'detached' });
  });

  itAtFullSize(
    'the team page is searched by name and description and filtered by status, and the URL keeps both',
    async () => {
      const team = await addTeam();
      const description = `Feeds the swans of ${team.name}`;
      await calls.updateTeam({ params: { id: team.id }, body: { description } });
      await calls.updateTeam({ params: { id: team.id }, body: { is_active: false } });
      await openTeams(page);
      const total = (await figures())[0];
      await page.getByPlaceholder('Search by name or description...').fill(description.toUpperCase());
      await page.waitForURL(/filter=FEEDS/);
      await expect.poll(() => page.locator('tr[data-row]').count()).toBe(1);
      await page.getByText('Active', { exact: true }).first().click();
      await page.waitForURL(/status=active/);
      await page.getByText('No teams found', { exact: true }).waitFor();
      await expect.poll(async () => (await figures())[0]).toBe(total);
      await page.goBack();
      await row(team.name).waitFor();
      await page.reload();
      await row(team.name).waitFor();
      expect(await page.locator('tr[data-row]').count()).toBe(1);
    },
  );

  itAtFullSize(
    'the team page deactivates and activates a team after a confirmation that explains the effect on access',
    async () => {
      const team = await addTeam(['Maya Ortiz', 'Jonas Weber']);
      await openTeams(page);
      await actFromMenu(page, 'Deactivate', team.name);
      const question = dialog(`Deactivate ${team.name}?`);
      await question
        .getByText(/LLM access granted through this team ends immediately for its 2 members/)
        .waitFor();
      await question.getByRole('button', { name: 'Cancel' }).click();
      expect((await readTeam(team)).is_active).toBe(true);
      await actFromMenu(page, 'Deactivate', team.name);
      await question.getByRole('button', { name: 'Deactivate' }).click();
      await row(team.name).getByRole('cell', { name: 'Inactive', exact: true }).waitFor();
      await page.getByRole('button', { name: `More actions: ${team.name}` }).click();
      for (const name of ['View members', 'Add member', 'Edit'])
        expect(await page.getByRole('menuitem', { name }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      await expect.poll(async () => (await readTeam(team)).is_active).toBe(false);
      await press(`Activate: ${team.name}`);
      await dialog(`Activate ${team.name}?`)
        .getByText(/regain the LLM access/)
        .waitFor();
      await dialog(`Activate ${team.name}?`).getByRole('button', { name: 'Activate' }).click();
      await row(team.name).getByRole('cell', { name: 'Active', exact: true }).waitFor();
      await expect.poll(async () => (await readTeam(team)).is_active).toBe(true);
    },
  );
});

describe('the members of a team', () => {
  it('several team members are added in one step with a role, without duplicates', async () => {
    const team = await addTeam(['Maya Ortiz']);
    await openTeams(page);
    await actFromMenu(page, 'View members', team.name);
    await drawer(page).getByText('Maya Ortiz').waitFor();
    await drawer(page).getByRole('button', { name: 'Add Member' }).click();
    const form = dialog(`Add Member to ${team.name}`);
    await form.getByRole('button', { name: 'Add Member' }).click();
    await form.getByText('Please select at least one user to add.', { exact: true }).waitFor();

    const users = form.getByRole('combobox', { name: 'Users' });
    await users.fill('');
    await users.press('ArrowDown');
    await page.getByText(/^[0-9]+ more available$/).waitFor();
    expect(await page.getByRole('listbox', { name: 'Users' }).getByRole('option').count()).toBe(5);
    await users.fill('maya@');
    await page.getByRole('status').getByText('No users found').waitFor();
    for (const name of ['Jonas Weber', 'Aiko Tanaka']) await pick(users, name);
    await form.getByRole('button', { name: 'Remove Jonas Weber' }).waitFor();
    await chooseOption(form, 'Role', 'Admin');
    // Another administrator adds one of the selected users, whom the dialog must skip.
    await calls.addTeamMember({ params: { id: team.id }, body: { user_id: idOf.get('Aiko Tanaka') ?? 0 } });
    await form.getByRole('button', { name: 'Add 2 Members' }).click();
    await page.getByText('1 member added, 1 skipped: already in the team').waitFor();
    await drawer(page).getByText('Jonas Weber').waitFor();
    const { members = [] } = await readTeam(team);
    expect(members.map(({ user_name, role }) => [user_name, role]).toSorted()).toEqual([
      ['Aiko Tanaka', 'member'],
      ['Jonas Weber', 'admin'],
      ['Maya Ortiz', 'member'],
    ]);
    await page.keyboard.press('Escape');
    const cells = row(team.name).getByRole('cell');
    await expect.poll(async () => (await cells.allInnerTexts()).slice(2, 4)).toEqual(['3', '1']);
  });

  itAtFullSize(
    'team members change role and status without a confirmation, and are removed after a confirmation',
    async () => {
      const team = await addTeam(['Maya Ortiz', 'Priya Nair']);
      await openTeams(page, `?open=${team.id}`);
      const memberOf = async (name: string) =>
        (await readTeam(team)).members?.find((member) => member.user_name === name);
      await chooseOption(drawer(page), 'Role: Priya Nair', 'Admin');
      await expect.poll(async () => (await memberOf('Priya Nair'))?.role).toBe('admin');
      await actFromMenu(page, 'Deactivate', 'Priya Nair');
      await drawer(page).getByText('Inactive member', { exact: true }).waitFor();
      await expect.poll(async () => (await memberOf('Priya Nair'))?.is_active).toBe(false);
      await actFromMenu(page, 'Activate', 'Priya Nair');
      await expect.poll(async () => (await memberOf('Priya Nair'))?.is_active).toBe(true);
      await actFromMenu(page, 'Remove', 'Maya Ortiz');
      const question = dialog(`Remove Maya Ortiz from ${team.name}?`);
      await question.getByRole('button', { name: 'Remove' }).click();
      await drawer(page).getByText('Maya Ortiz').waitFor({ state: 'detached' });
      await expect.poll(async () => (await readTeam(team)).members?.length).toBe(1);
    },
  );

  itAtFullSize(
    'team members are restored when the server rejects a change, with the server error or a fallback message',
    async () => {
      const team = await addTeam(['Maya Ortiz']);
      await openTeams(page, `?open=${team.id}`);
      const role = drawer(page).getByRole('combobox', { name: 'Role: Maya Ortiz' });
      const memberAddress = '**/api/v1/admin/teams/*/members/*';
      await role.waitFor();
      await page.route(memberAddress, answer(409, { detail: 'Not while the team is locked' }));
      await chooseOption(drawer(page), 'Role: Maya Ortiz', 'Admin');
      await page.getByRole('alert').getByText('Not while the team is locked').waitFor();
      await expect.poll(() => role.inputValue()).toBe('Member');
      await page.unroute(memberAddress);
      await page.route(memberAddress, (route) => route.abort());
      await chooseOption(drawer(page), 'Role: Maya Ortiz', 'Admin');
      await page.getByRole('alert').getByText('Failed to update member role').waitFor();
      await actFromMenu(page, 'Deactivate', 'Maya Ortiz');
      await page.getByRole('alert').getByText('Failed to update member status').waitFor();
      await actFromMenu(page, 'Remove', 'Maya Ortiz');
      await dialog(/^Remove Maya/)
        .getByRole('button', { name: 'Remove' })
        .click();
      await page.getByRole('alert').getByText('Failed to remove member').waitFor();
      await drawer(page).getByText('Maya Ortiz').waitFor();
    },
  );

  itAtFullSize(
    "members of a large team are searchable, and deleted users are shown as 'Unknown User'",
    async () => {
      const members = Array.from({ length: 400 }, (_, index) =>
        describeMember(index + 1, `Person ${index + 1}`),
      );
      const team = describeTeam(7, 'Everybody', { member_count: 401 });
      await page.route(teamsAddress, answer(200, { teams: [team], total: 1 }));
      await page.route(
        teamAddress,
        answer(200, { ...team, members: [...members, describeMember(900, null)] }),
      );
      await openTeams(page, '?open=7');
      await drawer(page).getByText('50 of 401 members').waitFor();
      expect(await drawer(page).getByRole('listitem').count()).toBe(50);
      await drawer(page).getByLabel('Search members').fill('unknown');
      await drawer(page).getByText('Unknown User').waitFor();
      expect(await drawer(page).getByRole('listitem').count()).toBe(1);
    },
  );
});

describe('failures of the teams', () => {
  it.each([
    [
      'the message of the server',
      answer(500, { detail: 'The database is unavailable' }),
      'The database is unavailable',
    ],
    ['a fallback message', answer(500, 'no json'), 'Failed to fetch teams (HTTP 500)'],
  ])('a failure to load teams shows %s, with a retry button', async (_, refuse, words) => {
    await page.route(teamsAddress, refuse);
    await page.goto('/admin/teams');
    await page.getByRole('alert').getByText(words).waitFor();
    await page.unroute(teamsAddress);
    await press('Try Again');
    await page.locator('table[aria-label="Teams"][aria-busy="false"]').waitFor();
  });

  itAtFullSize('the team page shows that the list is loading', async () => {
    const release = await hold(page, teamsAddress);
    await page.goto('/admin/teams');
    await page.getByText('Loading teams...').waitFor();
    release();
    await page.getByText('Loading teams...').waitFor({ state: 'detached' });
  });
});

describe('a team manager who is not an administrator', () => {
  const visitPortal = async (email: string) => {
    await visitAs(await signIn({ ...sluice, email, password: 'secret1' }), { viewport });
    await page.goto('/dashboard');
  };

  it('a team manager finds My Teams in the account menu, with only their own teams and permitted actions', async () => {
    const own = await addTeam(['Tom Keller'], 'admin');
    const others = await addTeam(['Maya Ortiz']);
    await visitPortal('tom@northwind.dev');
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'My Teams' }).click();
    await page.waitForURL(/\/dashboard\/teams/);
    await row(own.name).waitFor();
    expect(await row(others.name).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Create Team' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^(Dea|A)ctivate:/ }).count()).toBe(0);
    await press(`Add member: ${own.name}`);
    const form = dialog(`Add Member to ${own.name}`);
    await pick(form.getByRole('combobox', { name: 'Users' }), 'Ida Berg');
    await form.getByRole('button', { name: 'Add Member' }).click();
    await page.getByText('1 member added').waitFor();
    expect((await readTeam(own)).members?.length).toBe(2);
  });

  itAtFullSize('a user who manages no team has no My Teams menu item', async () => {
    await visitPortal('leo@northwind.dev');
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'My Teams' }).count()).toBe(0);
  });
});
