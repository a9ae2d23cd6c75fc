import {
  createClient,
  defaultDeviationPolicy,
  governanceRoutes,
  llmProvidersRoutes,
  logsRoutes,
  providerAccessRoutes,
  quotaStatusRoutes,
  settingsRoutes,
} from '@sluice/contract';
import { expect, it, vi } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { browser, page, sluice, startConsole, token, visitConsole } from './console.ts';
import { everyLook, expectGoodLooks } from './looks.ts';
import { chooseOption } from './select-field.ts';
import { openTasks } from './tasks-page.ts';
import { act, actFromMenu, callsAs, openUsers, rowOf } from './users-page.ts';
import { holding, signIn, visit } from './visit.ts';

const patience = { timeout: 30_000 };
// Rows, scores and blocks follow a response by about a second, or longer on a busy machine.
const promptlyMs = 10_000;
const model = 'sandbox-normal';
const password = 'password of maya';
const onTask = 'Fix the failing import in parser.ts and write a TypeScript function that parses a CSV line';
const offTask = 'Tell me a bedtime story about a dragon who is afraid of the dark and lives alone on a hill';

let person: Person;

interface Person {
  id: number;
  name: string;
  email: string;
  apiKey: string;
}

// One worker is sufficient here. Gateway tests cover the exchange between workers.
startConsole();

visitConsole();

const optionsOf = (session: string) => ({
  baseUrl: sluice.url,
  headers: () => ({ authorization: `Bearer ${session}` }),
});

let people = 0;

async function addPerson(): Promise<Person> {
  people++;
  const [name, email] = [`Maya Ortiz ${people}`, `maya.${people}@northwind.dev`];
  const { users, apiKeys } = callsAs(token, sluice);
  const { id } = await users.createUser({ body: { email, name, password, role_id: 3 } });
  const [instance] = await createClient(llmProvidersRoutes, optionsOf(token)).listLlmProviders();
  await createClient(providerAccessRoutes, optionsOf(token)).grantUserAccess({
    body: { user_id: id, llm_provider_id: instance?.id ?? 0, allowed_models: [model] },
  });
  const { api_key: apiKey } = await apiKeys.createUserApiKey({ params: { id } });
  return { id, name, email, apiKey };
}

async function employ(): Promise<Person> {
  const employee = await addPerson();
  const title = `CSV import of ${employee.name}`;
  await openTasks(page);
  await page.getByRole('button', { name: 'Create Task' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create Task' });
  await form.getByLabel('Title').fill(title);
  await form.getByLabel('Description').fill('Write the TypeScript parser of the CSV import and its tests');
  await form.getByRole('button', { name: 'Create Task' }).click();
  await toast(`${title} was created`);

  await act(page, 'Assign', title);
  const assignment = page.getByRole('dialog', { name: /^Assign Task/ });
  await assignment.getByRole('combobox', { name: 'User' }).fill(employee.email);
  await page.getByRole('option', { name: employee.name }).click();
  await assignment.getByRole('button', { name: 'Assign Task' }).click();
  await toast(`${employee.name} is assigned to ${title}`);
  return employee;
}

const signInAsPerson = () => signIn({ ...sluice, email: person.email, password });

async function ask(content: string) {
  const answer = await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content }] }),
  });
  return {
    id: answer.headers.get('x-request-id') ?? '',
    status: answer.status,
    score: Number(answer.headers.get('x-sluice-score')),
    intent: answer.headers.get('x-sluice-intent'),
    body: await answer.text(),
  };
}

async function listModels(): Promise<{ status: number; body: string }> {
  const headers = { authorization: `Bearer ${person.apiKey}` };
  const answer = await fetch(`${sluice.url}/api/v1/models`, { headers });
  return { status: answer.status, body: await answer.text() };
}

const readStanding = async (session: string) =>
  createClient(quotaStatusRoutes, optionsOf(session)).getQuotaStatus();
/** The row is written after the response. */
const readLog = (id: string) =>
  vi.waitFor(() => createClient(logsRoutes, optionsOf(token)).getLog({ params: { id } }), patience);
const toast = (text: string) => page.getByText(text, { exact: true }).waitFor();
const policy = () => page.getByRole('region', { name: 'Deviation policy' });
const threshold = (name: string) => policy().getByRole('textbox', { name, exact: true });
const savePolicy = () => page.getByRole('button', { name: 'Save changes' }).click();

it('a task is created and assigned to a user', async () => {
  person = await employ();
});

it('a policy shows validation errors at its fields, is saved, and persists', async () => {
  await createClient(settingsRoutes, optionsOf(token)).updateSettings({
    body: { deviation_policy: defaultDeviationPolicy },
  });
  await page.goto('/admin/settings');
  await policy().waitFor();
  expect(await page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true);
  await chooseOption(policy(), 'Enforcement', 'Block');
  await threshold('Block').fill('0.25');
  await threshold('Off topic').fill('3');
  await savePolicy();
  await policy().getByText('A weight must be at most 2').waitFor();
  await threshold('Off topic').fill('1');
  await savePolicy();
  await policy().getByText('The block threshold must be above the high threshold').first().waitFor();
  await threshold('Elevated').fill('0.05');
  await threshold('High').fill('0.15');
  await savePolicy();
  await toast('Settings saved');
  await page.reload();
  expect(await policy().getByLabel('Enforcement').inputValue()).toBe('Block');
  expect(await threshold('High').inputValue()).toBe('0.15');
  expect(await page.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true);
});

it('a user whose requests do not match the task is warned, blocked, and unblocked', async ({ task }) => {
  if (task.result?.retryCount) person = await employ();
  const session = await signInAsPerson();
  await expect.poll(async () => (await ask(onTask)).status, patience).toBe(200);
  expect(await ask(onTask)).toMatchObject({ status: 200, score: 0, intent: 'coding' });

  let last = await ask(offTask);
  expect(last).toMatchObject({ status: 200, intent: 'off_topic' });
  expect(last.score).toBeGreaterThan(0);
  while (last.score <= 0.16) {
    const { score } = last;
    last = await ask(offTask);
    expect(last.status).toBe(200);
    expect(last.score).toBeGreaterThan(score);
  }
  await expect
    .poll(async () => (await readStanding(session)).warnings, patience)
    .toEqual({
      blocked_status: null,
      high_deviation_score: 'Your deviation score is elevated. Please review your usage patterns.',
    });

  while (last.status === 200) last = await ask(offTask);
  expect(last).toMatchObject({ status: 403 });
  expect(last.body).toContain('policy_blocked');
  await expect.poll(async () => (await listModels()).body, patience).toContain('account_blocked');
  expect((await listModels()).status).toBe(403);
  const blocked = await readStanding(await signInAsPerson());
  expect(blocked.warnings.blocked_status).toBe(
    'Your account has been temporarily blocked due to policy violations.',
  );
  expect(blocked.blocked_reason).toContain('threshold of 0.25');

  const crossing = await readLog(last.id);
  const elapsedMs = Date.parse(blocked.blocked_at ?? '') - Date.parse(crossing.timestamp);
  expect(elapsedMs).toBeLessThan(promptlyMs);
  await expectReasons(last.id);

  await expectWords(last.id);

  await openUsers(page);
  await rowOf(page, person.name).getByText('Blocked', { exact: true }).filter({ visible: true }).waitFor();
  await actFromMenu(page, 'Unblock', person.name);
  await toast(`${person.name} is unblocked`);
  await expect.poll(async () => (await ask(onTask)).status, patience).toBe(200);
});

/** The reasons must add up to the change. */
async function expectReasons(id: string): Promise<void> {
  const log = await readLog(id);
  const exact = (log.deviation_receipts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  expect(exact).toBeCloseTo(log.deviation_score_delta ?? Number.NaN, 9);

  await page.goto(`/admin/logs?open=${id}`);
  const scoring = page
    .getByRole('dialog', { name: 'Log Details' })
    .getByRole('region', { name: 'Deviation Scoring' });
  const readFigure = async (name: string) =>
    toNumber(
      await scoring
        .locator('div', { has: page.getByText(name, { exact: true }) })
        .locator('dd')
        .innerText(),
    );
  const [before, change, after] = [
    await readFigure('Score Before'),
    await readFigure('Score Change'),
    await readFigure('Score After'),
  ];
  expect(after).toBeGreaterThanOrEqual(0.25);
  expect(after - before).toBeCloseTo(change, 6);
  const lines = await scoring.getByRole('table', { name: 'Reasons for the change' }).getByRole('row').all();
  const amounts = await Promise.all(
    lines.map(async (line) => toNumber(await line.getByRole('cell').last().innerText())),
  );
  expect(lines.length).toBeGreaterThanOrEqual(2);
  expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(change, 6);
}

/** The drawer must also accept a correction. */
async function expectWords(id: string): Promise<void> {
  const details = page.getByRole('dialog', { name: 'Log Details' });
  const strongest = details.getByRole('list', { name: 'Strongest words' }).getByRole('listitem');
  await strongest.first().waitFor();
  expect(await strongest.first().innerText()).toMatch(/[+-]\d\.\d\d/);
  const prompt = details.getByRole('region', { name: 'Prompt', exact: true });
  expect(await prompt.innerText()).toBe(offTask);
  expect(await prompt.locator('mark').first().getAttribute('title')).toMatch(/ (for|against) off_topic$/);
  await chooseOption(details, 'Correct the intent', 'Documentation');
  await details.getByRole('button', { name: 'Correct', exact: true }).click();
  await toast('Corrected to documentation');
  await details.getByText('Corrected to documentation.').waitFor();
  const corrections = await fetch(`${sluice.url}/api/v1/admin/governance/corrections`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await corrections.text()).toContain(JSON.stringify({ text: offTask, label: 'documentation' }));
  await prompt.scrollIntoViewIfNeeded();
  await expectGoodLooks(page, 'log-judged', everyLook);
  expect((await readLog(id)).intent_classification).toBe('off_topic');
}

const toNumber = (text: string) => Number(text);

it('a policy is tested on past requests before it is saved', async () => {
  await page.goto('/admin/settings');
  await threshold('Block').fill('0.1');
  await policy().getByRole('button', { name: 'Test on the last 30 days' }).click();
  await policy().getByText('The block threshold must be above the high threshold').first().waitFor();
  await threshold('Elevated').fill('0.04');
  await threshold('High').fill('0.05');
  await policy().getByRole('button', { name: 'Test on the last 30 days' }).click();
  const met = policy()
    .getByRole('list', { name: 'Users affected by the policy' })
    .getByRole('listitem')
    .filter({ hasText: person.name });
  await met.getByText(/^Warned at 0\.\d\d by/).waitFor();
  await met.getByText(/^Blocked at 0\.1\d by/).waitFor();
  await expectGoodLooks(page, 'settings-replay', everyLook);
  await threshold('Block').fill('0.9');
  await policy().getByText('The policy has changed. Test it again.').waitFor();
  await policy().getByRole('button', { name: 'Test on the last 30 days' }).click();
  await policy()
    .getByText(/warned [1-9]\d* users? and blocked no users\./)
    .waitFor();
});

it('a blocked user appeals once and sees the decision of an administrator', async ({ task }) => {
  if (task.result?.retryCount) person = await employ();
  const appeals = createClient(governanceRoutes, optionsOf(token));
  for (const { id } of await appeals.listAppeals({ query: { status: 'open' } })) {
    await appeals.decideAppeal({ params: { id }, body: { decision: 'deny', note: 'Of an earlier try' } });
  }
  await callsAs(token, sluice).users.blockUser({
    params: { id: person.id },
    query: { reason: 'Stories on company time' },
  });
  const portal = await visit(browser, sluice, holding(await signInAsPerson(), sluice));
  await portal.page.goto('/dashboard');
  const standing = portal.page.getByRole('region', { name: 'Account status' });
  await standing.getByText('Your account has been temporarily blocked due to policy violations.').waitFor();
  await standing.getByText('Reason: Stories on company time').waitFor();
  await standing.getByLabel('Appeal against the block').fill('The stories are test data of the import.');
  await expectGoodLooks(portal.page, 'account-blocked', everyLook);
  await standing.getByRole('button', { name: 'Appeal', exact: true }).click();
  await standing.getByText('You appealed').waitFor();
  expect(await standing.getByLabel('Appeal against the block').count()).toBe(0);

  await page.goto('/admin/users?tab=appeals');
  const appeal = page.getByRole('listitem', { name: `Appeal of ${person.name}` });
  await appeal.getByText('The stories are test data of the import.').waitFor();
  await appeal.getByText('Stories on company time').waitFor();
  await expectGoodLooks(page, 'appeals', everyLook);
  await appeal.getByRole('button', { name: 'Deny' }).click();
  await appeal.getByText('Please give a reason for the denial').waitFor();
  await appeal.getByLabel('Note').fill('Stories stay out.');
  await appeal.getByRole('button', { name: 'Deny' }).click();
  await toast(`The appeal of ${person.name} is denied`);
  await page.getByRole('radio', { name: 'Denied' }).check({ force: true });
  await expectGoodLooks(page, 'appeals-denied', everyLook);
  await appeal.getByRole('button', { name: 'Undo denial' }).click();
  await toast(`The appeal of ${person.name} is open again`);
  await page.getByRole('radio', { name: 'Open' }).check({ force: true });
  await appeal.getByLabel('Note').fill('Thank you, that is fine.');
  await appeal.getByRole('button', { name: 'Grant' }).click();
  await toast(`${person.name} is unblocked`);
  await page.getByText('No open appeals').waitFor();
  await page.getByRole('radio', { name: 'Granted' }).check({ force: true });
  await appeal.getByText('Thank you, that is fine.').waitFor();

  await expect.poll(async () => (await ask(onTask)).status, patience).toBe(200);
  await portal.page.reload();
  await portal.page.getByText('Your appeal was granted').waitFor({ timeout: 30_000 });
  expect(portal.problems).toEqual([]);
  await portal.end();
});

itAtFullSize('the policy page is accessible and fits in all themes and widths', async () => {
  await page.goto('/admin/settings');
  await policy().waitFor();
  await expectGoodLooks(page, 'settings', everyLook);
  await page.evaluate('document.querySelector("#deviation-policy").scrollIntoView()');
  await expectGoodLooks(page, 'settings-policy', everyLook);
});
