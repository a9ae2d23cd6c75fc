import {
  authRoutes,
  createClient,
  llmProvidersRoutes,
  providerAccessRoutes,
  teamsRoutes,
} from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  completionText,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { readError } from '#test/requests/answers.ts';

const model = 'doomed-1';
const chunk = (delta: object, finish_reason: string | null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

const ending = Promise.withResolvers<void>();
let provider: ScriptedProvider;
let gateway: TestGateway;
let headers: Record<string, string>;
beforeAll(async () => {
  provider = await startScriptedProvider(async (response, { body }) => {
    const isStream = JSON.parse(body.toString()).stream === true;
    if (isStream) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunk({ role: 'assistant', content: 'Hel' }, null));
    }
    await ending.promise;
    if (isStream)
      return response.end(`${chunk({ content: 'lo' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`);
    return response.writeHead(200, { 'content-type': 'application/json' }).end(completionText);
  });
  gateway = await startGateway();
  const { email: username, password } = gateway.admin;
  const auth = createClient(authRoutes, { baseUrl: gateway.origin, headers: () => ({}) });
  headers = { authorization: `Bearer ${(await auth.login({ form: { username, password } })).access_token}` };
});
afterAll(async () => {
  ending.resolve();
  await gateway.stop();
  await provider.close();
});

const callsOf = <Routes extends Parameters<typeof createClient>[0]>(routes: Routes) =>
  createClient(routes, { baseUrl: gateway.origin, headers: () => headers });

it('a deleted provider finishes started responses, accepts no new requests, and loses the grants listed as its impact', async () => {
  const providers = callsOf(llmProvidersRoutes);
  const access = callsOf(providerAccessRoutes);
  const teams = callsOf(teamsRoutes);
  const { id } = await providers.createLlmProvider({
    body: {
      provider_registry_id: 'custom',
      provider_instance_name: 'lab',
      api_endpoint: `${provider.origin}/v1`,
      enabled_models: [model],
      model_aliases: { doomed: model },
    },
  });
  const mara = await gateway.seed.addPerson({ name: 'Mara', role: 'user' });
  const noah = await gateway.seed.addPerson({ name: 'Noah', role: 'user' });
  const team = await teams.createTeam({ body: { name: 'Readers' } });
  await teams.addTeamMember({ params: { id: team.id }, body: { user_id: noah.userId } });
  await access.grantUserAccess({
    body: { user_id: mara.userId, llm_provider_id: id, allowed_models: [model] },
  });
  await access.grantTeamAccess({
    body: { team_id: team.id, llm_provider_id: id, allowed_models: [model] },
  });
  const impact = await providers.getLlmProviderDeletionImpact({ params: { id } });
  expect(impact.impact).toMatchObject({ affected_users: 2, affected_teams: 1 });

  const ask = ({ apiKey }: { apiKey: string }, stream: boolean) =>
    gateway.complete({ model: 'doomed', stream }, { apiKey });
  const stream = await ask(mara, true);
  expect(stream.status).toBe(200);
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader?.read())?.value ?? '';
  const whole = ask(noah, false);
  await expect.poll(() => provider.calls.length).toBe(2);
  expect(text).not.toContain('[DONE]');
  await providers.deleteLlmProvider({ params: { id } });

  for (const person of [mara, noah]) {
    const refused = await ask(person, false);
    expect(refused.status).toBe(404);
    expect(await readError(refused)).toMatchObject({
      code: 'model_not_found',
      message: expect.stringContaining("'doomed' does not exist or is not enabled here"),
    });
  }
  ending.resolve();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value;
  expect(text).toContain('[DONE]');
  expect(text).not.toContain('"error"');
  expect((await whole).status).toBe(200);
  for (const answer of [stream, await whole]) {
    const row = await gateway.waitForRow(answer.headers.get('x-request-id') ?? '');
    expect(row).toMatchObject({ status: 'success' });
  }

  const left = await gateway.pool.query(
    `SELECT id FROM user_provider_access WHERE llm_provider_id = $1
     UNION ALL SELECT id FROM team_provider_access WHERE llm_provider_id = $1`,
    [id],
  );
  expect(left.rows).toEqual([]);
  expect(await access.listUserProviders({ params: { userId: mara.userId } })).toMatchObject({
    total_providers: 0,
  });
});
