import { setTimeout as pause } from 'node:timers/promises';
import {
  apiKeysRoutes,
  authRoutes,
  createClient,
  llmProvidersRoutes,
  providerAccessRoutes,
  usersRoutes,
} from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFullSize } from '#test/load/sample.ts';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';
import { signIn } from '#test/providers/outside-provider.ts';
import { sendRaw } from '#test/requests/raw-request.ts';

const model = 'sandbox-normal';
const connections = 4;

let sluice: SluiceProcess;
let client: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  sluice = await createSluice({ SLUICE_WORKERS: '2', LOG_LEVEL: 'silent' });
  await sluice.start();
  client = await signIn(sluice);
});
afterAll(() => sluice.remove());

const onEveryWorker = (credential: string, request: { method?: string; path?: string; body?: string } = {}) =>
  Promise.all(
    Array.from({ length: connections }, () =>
      sendRaw(Number(new URL(sluice.origin).port), {
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        ...request,
      }),
    ),
  );
const statuses = async (...call: Parameters<typeof onEveryWorker>) =>
  (await onEveryWorker(...call)).map(({ status }) => status);
const always = (status: number) => Array.from({ length: connections }, () => status);
const models = { method: 'GET', path: '/api/v1/models' };
const chat = { body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }) };
const mayUse = async (apiKey: string) =>
  (await onEveryWorker(apiKey, models)).map(
    ({ status, body }) => status === 200 && body.includes(`"${model}"`),
  );

const password = 'a password of this test';
let people = 0;
const addUser = async (more: { role_id?: number; requests_per_hour?: number } = {}) => {
  people += 1;
  const email = `person-${people}@example.com`;
  const body = { email, name: 'Ann', password, role_id: 2, daily_quota: null, monthly_quota: null, ...more };
  const { id } = await createClient(usersRoutes, client).createUser({ body });
  return { id, email };
};
const addKey = async (id: number) =>
  (await createClient(apiKeysRoutes, client).createUserApiKey({ params: { id } })).api_key;

describe('changes visible on both workers once the call has returned', () => {
  it('regenerateUserApiKey returns once both workers accept the key, every time', async () => {
    const { id } = await addUser();
    await addKey(id);
    const refused: number[] = [];
    for (let round = 0; round < (isFullSize ? 100 : 25); round++) {
      const { api_key } = await createClient(apiKeysRoutes, client).regenerateUserApiKey({ params: { id } });
      refused.push(...(await statuses(api_key, models)).filter((status) => status !== 200));
    }
    expect(refused).toEqual([]);
  });

  it('createUser returns once both workers accept the sign-in and key of the user', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, email } = await addUser();
      const apiKey = await addKey(id);
      expect(await statuses(apiKey, models)).toEqual(always(200));
      const { access_token } = await createClient(authRoutes, { ...client, headers: () => ({}) }).login({
        form: { username: email, password },
      });
      expect(await statuses(access_token, { method: 'GET', path: '/api/v1/auth/me' })).toEqual(always(200));
    }
  });

  it('grant and revoke calls return once both workers enforce the model access', async () => {
    const [instance] = await createClient(llmProvidersRoutes, client).listLlmProviders();
    const grants = createClient(providerAccessRoutes, client);
    const { id } = await addUser({ role_id: 3 });
    const apiKey = await addKey(id);
    for (let round = 0; round < 20; round++) {
      await grants.grantUserAccess({
        body: { user_id: id, llm_provider_id: instance!.id, allowed_models: [model] },
      });
      expect(await mayUse(apiKey)).toEqual(always(200).map(() => true));
      await grants.removeUserAccess({ params: { userId: id, providerId: instance!.id } });
      expect(await mayUse(apiKey)).toEqual(always(200).map(() => false));
    }
  });

  it('block and unblock calls return once both workers enforce them', async () => {
    const users = createClient(usersRoutes, client);
    const { id } = await addUser();
    const apiKey = await addKey(id);
    for (let round = 0; round < 20; round++) {
      await users.blockUser({ params: { id }, query: { reason: 'a test' } });
      expect(await statuses(apiKey, models)).toEqual(always(403));
      await users.unblockUser({ params: { id } });
      expect(await statuses(apiKey, models)).toEqual(always(200));
    }
  });

  it('a raised limit applies on both workers once the call has returned', async () => {
    const users = createClient(usersRoutes, client);
    const { id } = await addUser({ requests_per_hour: 1 });
    const apiKey = await addKey(id);
    let limit = 1;
    expect((await statuses(apiKey, chat)).toSorted()).toEqual([200, 429, 429, 429]);
    for (let round = 0; round < 10; round++) {
      limit += connections;
      await users.updateUser({ params: { id }, body: { requests_per_hour: limit } });
      expect(await statuses(apiKey, chat)).toEqual(always(200));
      expect(await statuses(apiKey, chat)).toEqual(always(429));
    }
  });
});

it('a call takes at least 490 ms but returns while the other worker is stopped', async () => {
  const { id } = await addUser();
  const rename = () =>
    createClient(usersRoutes, client).updateUser({ params: { id }, body: { name: 'Bob' } });
  const answeredMs: number[] = [];
  // Repeats until the running worker receives a call. The stopped worker may have lost its database connection when
  // it resumes.
  while (answeredMs.length === 0) {
    // Connections are assigned in turn, so after an odd number of calls per round another worker is next.
    await rename();
    for (const pid of sluice.pids('workers')) {
      const startedMs = performance.now();
      process.kill(pid, 'SIGSTOP');
      const answer = rename().then(
        () => 'answered',
        () => 'failed',
      );
      const outcome = await Promise.race([answer, pause(3_000)]);
      if (outcome === 'answered') answeredMs.push(performance.now() - startedMs);
      process.kill(pid, 'SIGCONT');
      await answer;
    }
  }
  for (const ms of answeredMs) expect(ms).toBeGreaterThan(490);
});
