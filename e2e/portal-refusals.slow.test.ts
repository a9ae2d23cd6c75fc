import {
  blacklistRoutes,
  createClient,
  creditsRoutes,
  llmProvidersRoutes,
  portalRoutes,
  providerAccessRoutes,
  tasksRoutes,
} from '@sluice/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { refusalGuide } from '../web/src/features/account-status/refusal-guide.ts';
import { formatLabel } from '../web/src/lib/format-label.ts';
import { page, sluice, startConsole, token, visitAs } from './console.ts';
import { everyLook, expectGoodLooks, twoLooks } from './looks.ts';
import { callsAs } from './users-page.ts';
import { signIn } from './visit.ts';

const viewport = { width: 1440, height: 820 };
const person = { email: 'noor.haddad@northwind.dev', password: 'password of noor' };
const model = 'sandbox-normal';
const paidModel = 'sandbox-echo';

let userId: number;
let taskId: number;
let assignmentId: number;
let providerId: number;
let apiKey: string;
let session: string;

startConsole();

const optionsOf = (bearer: string) => ({
  baseUrl: sluice.url,
  headers: () => ({ authorization: `Bearer ${bearer}` }),
});
const callsOf = () => ({
  ...callsAs(token, sluice),
  tasks: createClient(tasksRoutes, optionsOf(token)),
  access: createClient(providerAccessRoutes, optionsOf(token)),
  providers: createClient(llmProvidersRoutes, optionsOf(token)),
  blacklist: createClient(blacklistRoutes, optionsOf(token)),
  credits: createClient(creditsRoutes, optionsOf(token)),
});

beforeAll(async () => {
  const { users, apiKeys, tasks, access, providers } = callsOf();
  userId = (
    await users.createUser({ body: { ...person, name: 'Noor Haddad', role_id: 3, daily_quota: 20_000 } })
  ).id;
  const [instance] = await providers.listLlmProviders();
  providerId = instance?.id ?? 0;
  const grant = { user_id: userId, llm_provider_id: providerId, allowed_models: [model] };
  await access.grantUserAccess({ body: grant });
  const description = 'Read the file, parse it, and write tests for every odd line of it';
  taskId = (await tasks.createTask({ body: { title: 'CSV import', description } })).id;
  assignmentId = (await tasks.createTaskAssignment({ body: { task_id: taskId, user_id: userId } })).id;
  apiKey = (await apiKeys.createUserApiKey({ params: { id: userId } })).api_key;
  session = await signIn({ ...sluice, ...person });
});
beforeEach(() => visitAs(session, { viewport }));

async function askInVain(
  asked = model,
  content = 'Parse a line of CSV',
): Promise<{ code: string; message: string }> {
  const response = await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: asked, messages: [{ role: 'user', content }] }),
  });
  const text = await response.text();
  expect(response.status, text).toBeGreaterThanOrEqual(400);
  // safe because an error in OpenAI's format has both fields
  return (JSON.parse(text) as { error: { code: string; message: string } }).error;
}

const lastRequests = () => page.getByRole('region', { name: 'Last requests' });

async function expectTold({ code, message }: { code: string; message: string }, expected: string) {
  expect(code).toBe(expected);
  const portal = createClient(portalRoutes, optionsOf(session));
  const newest = async () => (await portal.listUserLogs({ query: { limit: 1 } }))[0]?.error_message;
  await expect.poll(newest, { timeout: 15_000 }).toBe(message);
  await page.goto('/dashboard');
  const entry = lastRequests().getByRole('listitem').first();
  await entry.getByText(`Refused · ${formatLabel(code)}`).waitFor();
  const told = await entry.innerText();
  // Compares only the text before the first timestamp, because the page shows the user's time zone.
  expect(told).toContain(message.split(/\d{4}-\d\d-\d\dT/, 1)[0]);
  const advice = Object.entries(refusalGuide).find(([name]) => name === code)?.[1];
  expect(told).toContain(`Decided by ${advice?.decidedBy}. ${advice?.next}`);
}

const limits = () => page.getByRole('region', { name: 'Limits' });

describe('rejected requests in the portal', () => {
  itSampled(3).each([
    ['requests_per_hour', 'requests_per_hour_exceeded'],
    ['daily_quota', 'tokens_per_day_exceeded'],
    ['monthly_quota', 'tokens_per_month_exceeded'],
  ] as const)('the portal explains a request that was rejected by %s', async (limit, code) => {
    const { users } = callsOf();
    const before = await users.getUser({ params: { id: userId } });
    await users.updateUser({ params: { id: userId }, body: { [limit]: 0 } });
    await expectTold(await askInVain(), code);
    await page.getByText(/: your limit is reached, requests are refused\.$/).waitFor();
    await limits().getByText('Reached').waitFor();
    await limits()
      .getByText(/requests are refused\. Your administrator set this limit/)
      .waitFor();
    await users.updateUser({ params: { id: userId }, body: { [limit]: before[limit] } });
    if (limit === 'daily_quota') await expectGoodLooks(page, 'portal-refused-quota', everyLook);
  });

  itAtFullSize('the portal explains a rejected request for a blacklisted model', async () => {
    const { blacklist, providers } = callsOf();
    const [instance] = await providers.listLlmProviders();
    const body = { provider_key: instance?.provider_key ?? '', model_pattern: model, reason: 'Data privacy' };
    const { id } = await blacklist.addBlacklistEntry({ body });
    const refusal = await askInVain();
    expect(refusal.message).toContain('Data privacy');
    await expectTold(refusal, 'model_blacklisted');
    await blacklist.removeBlacklistEntry({ params: { id } });
  });

  itAtFullSize('the portal explains a rejected request of a user without any granted model', async () => {
    const { access } = callsOf();
    await access.removeUserAccess({ params: { userId, providerId } });
    await expectTold(await askInVain(), 'model_not_found');
    await page.getByText('You do not have access to any model yet.').waitFor();
    await page.getByText('Ask your administrator for access. Until then').waitFor();
    await expectGoodLooks(page, 'portal-refused-grant', twoLooks);
    await access.grantUserAccess({
      body: { user_id: userId, llm_provider_id: providerId, allowed_models: [model] },
    });
  });

  itAtFullSize('the portal explains a rejected request for a task without remaining tokens', async () => {
    const { tasks } = callsOf();
    await tasks.updateTask({ params: { id: taskId }, body: { token_limit: 1_000 } });
    await expectTold(await askInVain(model, 'Parse a line of CSV. '.repeat(400)), 'task_tokens_exceeded');
    await tasks.updateTask({ params: { id: taskId }, body: { token_limit: 10_000 } });
  });

  itAtFullSize('the portal explains a rejected request of a tenant without credits', async () => {
    const { providers, access, credits } = callsOf();
    const [own] = await providers.listLlmProviders();
    const managed = await providers.createLlmProvider({
      body: {
        provider_registry_id: own?.provider_registry_id ?? 0,
        provider_instance_name: 'Managed',
        enabled_models: [paidModel],
        is_service_managed: true,
      },
    });
    await credits.setPrice({
      body: { llm_provider_id: managed.id, model: paidModel, price: { input: 1_000, output: 2_000 } },
    });
    const grant = { user_id: userId, llm_provider_id: managed.id, allowed_models: [paidModel] };
    await access.grantUserAccess({ body: grant });
    await expectTold(await askInVain(paidModel), 'insufficient_credits');
  });

  itAtFullSize('the portal explains a rejected request of a user without a task', async () => {
    const { tasks } = callsOf();
    await tasks.deleteTaskAssignment({ params: { id: assignmentId } });
    await expectTold(await askInVain(), 'task_required');
    await page.getByText('You have no active task.', { exact: true }).waitFor();
    await page.getByText('Ask your administrator to assign one to you').waitFor();
    await tasks.createTaskAssignment({ body: { task_id: taskId, user_id: userId } });
  });

  itAtFullSize('the portal explains a rejected request for an inactive task', async () => {
    const { tasks } = callsOf();
    await tasks.toggleTaskStatus({ params: { id: taskId } });
    await expectTold(await askInVain(), 'task_required');
    await page.getByText('You have no active task.', { exact: true }).waitFor();
    await page.goto('/dashboard/tasks');
    const card = page.getByRole('article').filter({ hasText: 'Deactivated' });
    await card.getByText('Your administrator has deactivated this task').waitFor();
    expect(await card.getByRole('link', { name: /Chat/ }).count()).toBe(0);
    await tasks.toggleTaskStatus({ params: { id: taskId } });
  });

  itAtFullSize('a request with a revoked key is rejected and does not appear in the portal', async () => {
    const { apiKeys } = callsOf();
    await apiKeys.revokeUserApiKey({ params: { id: userId } });
    expect((await askInVain()).code).toBe('invalid_api_key');
    await page.goto('/dashboard');
    await page.getByText('Your API key was revoked. Requests with it are refused.').waitFor();
    await page.getByText('Ask your administrator for a new one.').waitFor();
    const expires_at = new Date(Date.now() + 2_000).toISOString();
    apiKey = (await apiKeys.createUserApiKey({ params: { id: userId }, body: { expires_at } })).api_key;
    await expect
      .poll(async () => (await askInVain('nothing')).code, { timeout: 15_000 })
      .toBe('invalid_api_key');
    await page.goto('/dashboard');
    await page.getByText(/Your API key expired on .*\. Requests with it are refused\./).waitFor();
    await expectGoodLooks(page, 'portal-refused-key', twoLooks);
    await apiKeys.revokeUserApiKey({ params: { id: userId } });
    apiKey = (await apiKeys.createUserApiKey({ params: { id: userId } })).api_key;
  });

  it('the portal explains why the user is blocked and offers an appeal', async () => {
    const { users } = callsOf();
    await users.blockUser({ params: { id: userId }, query: { reason: 'Stories on company time' } });
    // Signs in again, because blocking the user ended all sessions.
    session = await signIn({ ...sluice, ...person });
    await visitAs(session, { viewport });
    await expectTold(await askInVain(), 'account_blocked');
    await page.getByText('Your account has been temporarily blocked due to policy violations.').waitFor();
    await page.getByText('Reason: Stories on company time').waitFor();
    await page.getByRole('button', { name: 'Appeal' }).waitFor();
    await expectGoodLooks(page, 'portal-refused-block', twoLooks);
  });
});
