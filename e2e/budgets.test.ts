import { budgetsRoutes, createClient } from '@sluice/contract';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { openBudgets } from './budgets-page.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { everyLook, expectGoodLooks } from './looks.ts';
import { chooseOption } from './select-field.ts';
import { actFromMenu } from './users-page.ts';

let calls: ReturnType<typeof createClient<typeof budgetsRoutes>>;

startConsole();
beforeAll(() => {
  const headers = () => ({ authorization: `Bearer ${token}` });
  calls = createClient(budgetsRoutes, { baseUrl: sluice.url, headers });
});
visitConsole({ viewport: { width: 1440, height: 820 } });
beforeEach(async () => {
  for (const { id } of await calls.listBudgets({ query: {} })) await calls.deleteBudget({ params: { id } });
});

const dialog = (name: string) => page.getByRole('dialog', { name });
const row = (text: string) => page.locator('tr[data-row]').filter({ hasText: text });

function dayFrom(start: Date, days: number): string {
  const day = new Date(start.getFullYear(), start.getMonth(), start.getDate() + days);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

function friday(): string {
  const today = new Date();
  return dayFrom(today, ((11 - today.getDay()) % 7) + 1);
}

it('a budget of the organization is created, changed, raised and deleted', async () => {
  await openBudgets(page);
  await page.getByRole('button', { name: 'Create budget' }).first().click();
  const form = dialog('Create budget');
  await form.getByRole('button', { name: 'Create budget' }).click();
  await form.getByText('Select a team', { exact: true }).waitFor();
  await form.getByText('Enter a limit of at least 0', { exact: true }).waitFor();
  const counted = form.getByText("Counts only requests that the team's grants allow");
  await counted.waitFor();
  await chooseOption(form, 'Applies to', 'Whole organization');
  await counted.waitFor({ state: 'detached' });
  await form.getByLabel('Limit', { exact: true }).fill('1,250.50');
  await form.getByRole('button', { name: 'Create budget' }).click();
  await page.getByText('The budget was created').waitFor();
  await row('of $1,250.50').getByText('Your organization').first().waitFor();
  expect(await calls.listBudgets({ query: {} })).toMatchObject([
    { subject: 'your organization', measure: 'usd', window: 'month', limit: 1_250.5, action: 'refuse' },
  ]);

  await row('Your organization')
    .getByRole('button', { name: /^Edit: / })
    .first()
    .click();
  const edit = dialog('Edit budget');
  await edit.getByLabel('Limit', { exact: true }).fill('80');
  await edit.getByRole('button', { name: 'Update budget' }).click();
  await row('of $80.00').waitFor();

  await actFromMenu(page, 'Burn-down', 'Your organization, $80.00 per month');
  const burnDown = dialog('Your organization');
  await burnDown.getByRole('application', { name: /^Remaining budget/ }).waitFor();
  await expectGoodLooks(page, 'budget-burn-down', everyLook);
  await burnDown.getByRole('button', { name: 'Close' }).first().click();

  await actFromMenu(page, 'Raise temporarily', 'Your organization, $80.00 per month');
  const raise = dialog('Raise budget');
  await raise.getByLabel('Limit until then').fill('120');
  const yesterday = dayFrom(new Date(), -1);
  await raise.getByLabel('Last day').fill(yesterday);
  await raise.getByLabel('Reason').fill('Release week');
  await raise.getByRole('button', { name: 'Raise budget' }).click();
  await raise.getByText('The last day must not be in the past').waitFor();
  await expectGoodLooks(page, 'budget-raise', everyLook);
  await raise.getByLabel('Last day').fill(friday());
  await raise.getByRole('button', { name: 'Raise budget' }).click();
  await row('of $120.00')
    .getByText(/^Raised until/)
    .first()
    .waitFor();
  const [raised] = await calls.listBudgets({ query: {} });
  const last = new Date(Date.parse(raised!.raised_until!) - 1);
  expect([last.getDay(), dayFrom(last, 0)]).toEqual([5, friday()]);

  await actFromMenu(page, 'Delete', 'Your organization, $120.00 per month');
  await page
    .getByRole('dialog', { name: 'Delete this budget?' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await page.getByText('No budgets yet').waitFor();
});

it('a limit on parallel requests has no period, and is created and listed', async () => {
  await openBudgets(page);
  await page.getByRole('button', { name: 'Create budget' }).first().click();
  const form = dialog('Create budget');
  await chooseOption(form, 'Applies to', 'Whole organization');
  await chooseOption(form, 'Counted in', 'Parallel requests');
  await form.getByText('A request counts from its admission until its response is complete.').waitFor();
  expect(await form.getByLabel('Period').count()).toBe(0);
  await form.getByLabel('Limit', { exact: true }).fill('25');
  await expectGoodLooks(page, 'budget-parallel-requests', everyLook);
  await form.getByRole('button', { name: 'Create budget' }).click();
  await row('25 parallel requests').waitFor();
  expect(await calls.listBudgets({ query: {} })).toMatchObject([
    { subject: 'your organization', measure: 'parallel_requests', window: 'at_once', limit: 25 },
  ]);
});
