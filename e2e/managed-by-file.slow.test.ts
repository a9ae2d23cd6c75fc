import { expect, inject, it } from 'vitest';
import { callCommand } from '../server/test/processes/run-command.ts';
import { page, sluice, startConsole, visitConsole } from './console.ts';
import { everyLook, expectGoodLooks } from './looks.ts';
import { openTeams } from './teams-page.ts';
import { actFromMenu } from './users-page.ts';

startConsole();
visitConsole({ viewport: { width: 1440, height: 820 } });

it('a team that a configuration file manages is read-only, and the page names the file', async () => {
  const { secret } = inject('preparedDatabase');
  const env = { DATABASE_URL: sluice.databaseUrl, SLUICE_SECRET: secret };
  const file = 'tenants: [{ slug: default, teams: [{ name: Platform }] }]';
  expect(await callCommand(['apply', '-f', '-'], env, file)).toMatchObject({ code: 0 });
  await openTeams(page);
  await page.getByText('Managed by a configuration file: 1 team', { exact: true }).waitFor();
  await page.getByText('standard input', { exact: true }).waitFor();
  await expectGoodLooks(page, 'managed-teams', everyLook);
  await actFromMenu(page, 'Edit', 'Platform');
  const form = page.getByRole('dialog', { name: 'Edit Team' });
  await form.getByLabel('Team Name').fill('Renamed');
  await form.getByRole('button', { name: 'Update Team' }).click();
  await form.getByText(/managed by a configuration file \(standard input\)\. Change it there/).waitFor();
});
