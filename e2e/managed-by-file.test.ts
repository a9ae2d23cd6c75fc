import { createClient, teamsRoutes } from '@sluice/contract';
import pg from 'pg';
import { it } from 'vitest';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { openTeams } from './teams-page.ts';
import { actFromMenu } from './users-page.ts';

startConsole();
visitConsole({ viewport: { width: 1440, height: 820 } });

it('a team that a configuration file manages is read-only, and the page names the file', async () => {
  const headers = () => ({ authorization: `Bearer ${token}` });
  const team = await createClient(teamsRoutes, { baseUrl: sluice.url, headers }).createTeam({
    body: { name: 'Platform' },
  });
  const client = new pg.Client(sluice.databaseUrl);
  await client.connect();
  await client.query(
    `INSERT INTO managed_objects (tenant_id, kind, object_id, name, file)
     SELECT tenant_id, 'team', id, name, 'teams.yaml' FROM teams WHERE id = $1`,
    [team.id],
  );
  await client.end();
  await openTeams(page);
  await page.getByText('Managed by a configuration file: 1 team', { exact: true }).waitFor();
  await page.getByText('teams.yaml', { exact: true }).waitFor();
  await actFromMenu(page, 'Edit', 'Platform');
  const form = page.getByRole('dialog', { name: 'Edit Team' });
  await form.getByLabel('Team Name').fill('Renamed');
  await form.getByRole('button', { name: 'Update Team' }).click();
  await form.getByText(/managed by the configuration file teams\.yaml\. Change it there/).waitFor();
});
