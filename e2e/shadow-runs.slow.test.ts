import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addShadowRun, connectTo, type ShadowRow } from '../server/test/database/shadow-run.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { callsAs } from './users-page.ts';

startConsole();

let pool: ReturnType<typeof connectTo>;
let runId: number;
let tenantId: number;
let userId: number;

beforeAll(async () => {
  pool = connectTo(sluice.databaseUrl);
  const [administrator] = await callsAs(token, sluice).users.listUsers({ query: {} });
  userId = administrator!.id;
  const { rows } = await pool.query<{ tenant_id: number }>('SELECT tenant_id FROM users WHERE id = $1', [
    userId,
  ]);
  tenantId = rows[0]!.tenant_id;
});
afterAll(() => pool.end());
beforeEach(async () => {
  runId = await addShadowRun(
    pool,
    { tenantId, name: 'Requests of May', comparedWith: 'https://litellm.test' },
    listRows(),
  );
});
visitConsole({ viewport: { width: 1440, height: 820 } });

/** Returns enough requests for three pages of the list. Ten were rejected for one reason, five for another. */
function listRows(): ShadowRow[] {
  return Array.from({ length: 120 }, (_, at): ShadowRow => {
    const served = { user_id: userId, other_outcome: 'served', other_model: 'gpt-4.1' } as const;
    if (at % 12 === 0)
      return { ...served, error_code: 'model_not_found', message: '=1+1', difference: 'refused_here' };
    if (at % 24 === 1)
      return {
        ...served,
        error_code: 'task_required',
        user_id: null,
        model_requested: 'o4',
        difference: 'refused_here',
      };
    return {
      ...served,
      model: 'gpt-4.1',
      cost_nano_usd: 11_000_000,
      other_cost_nano_usd: 10_000_000,
      difference: 'other_cost',
    };
  });
}

const rows = () => page.locator('section[aria-label="Requests"] table[aria-busy="false"] tr[data-row]');

it('a shadow run is opened, filtered by a reason for rejections, exported, and deleted', async () => {
  await page.goto('/admin/shadow-runs');
  const run = page.getByRole('row').filter({ hasText: 'Requests of May' }).first();
  expect(await run.innerText()).toMatch(/120\s+15\s+0\s+0\s+105\s+0\s+\$1\.16\s+\$1\.05 there/);
  await run.getByText('Requests of May').click();
  await page.getByRole('heading', { name: 'Requests of May', level: 1 }).waitFor();
  expect(new URL(page.url()).search).toBe(`?run=${runId}`);
  const figures = page.getByRole('region', { name: 'Figures of the run' });
  await figures.getByText('$1.05 there (+10.0%)').waitFor();
  await expect.poll(() => rows().count()).toBe(50);

  const refusals = page.getByRole('region', { name: 'All refusals here, by error code' });
  await refusals.getByRole('link', { name: 'model_\u200bnot_\u200bfound' }).click();
  await expect.poll(() => rows().count()).toBe(10);
  expect(new URL(page.url()).searchParams.get('code')).toBe('model_not_found');
  for (const text of await rows().allInnerTexts()) expect(text).toContain('model_not_found');
  await page.goBack();
  await expect.poll(() => rows().count()).toBe(50);
  await page.goForward();
  await expect.poll(() => rows().count()).toBe(10);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`^sluice-shadow-run-${runId}-[\\d-]+\\.csv$`));
  const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(head).toContain('position,requested_at,user_id');
  expect(lines).toHaveLength(10);
  for (const line of lines) expect(line).toContain(",refused_here,model_not_found,'=1+1,");

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Requests of May?' });
  await dialog.getByText('The run and the results of its 120 requests cannot be restored.').waitFor();
  await dialog.getByRole('button', { name: 'Delete run' }).click();
  await page.getByText('Requests of May was deleted').waitFor();
  await page.getByText('No shadow runs yet').waitFor();
  expect(new URL(page.url()).search).toBe('');
  expect((await pool.query('SELECT FROM shadow_runs')).rowCount).toBe(0);
});

it('requests of a shadow run are filtered by model, paged, and show their details by keyboard', async () => {
  await page.goto(`/admin/shadow-runs?run=${runId}`);
  await expect.poll(() => rows().count()).toBe(50);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await pages.getByText('1–50 of 120').waitFor();
  await pages.getByRole('button', { name: 'Next page' }).click();
  await pages.getByText('51–100 of 120').waitFor();

  await page.getByRole('region', { name: 'Models' }).getByRole('link', { name: 'o4' }).click();
  await pages.getByText('1–5 of 5').waitFor();
  await page.getByRole('button', { name: 'Clear Filters' }).click();
  await pages.getByText('1–50 of 120').waitFor();

  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText('Deviation score after').waitFor();
  await page.getByText('Request ID there').waitFor();
});

it('a missing shadow run shows an error and a link to the list, which can be searched', async () => {
  await page.goto('/admin/shadow-runs?run=2147483647');
  await page.getByText('Shadow run not found').waitFor();
  await page.getByRole('link', { name: 'All shadow runs' }).click();
  await page.getByRole('row').filter({ hasText: 'Requests of May' }).first().waitFor();
  const search = page.getByRole('searchbox', { name: 'Search runs' });
  await search.fill('ONE-API');
  await page.getByText('No shadow runs found').waitFor();
  await search.fill('litellm.test');
  await page.getByRole('row').filter({ hasText: 'Requests of May' }).first().waitFor();
});
