import {
  authRoutes,
  type Comparison,
  createClient,
  llmComparisonRoutes,
  llmProvidersRoutes,
} from '@sluice/contract';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { interruptedComparison } from '#jobs/end-lost-answers.ts';
import { createSluice, type SluiceProcess } from '#test/processes/sluice-process.ts';

let sluice: SluiceProcess;
let pool: pg.Pool;

beforeAll(async () => {
  // Shorten the drain timeout, because the stalled answer keeps a draining node alive for all of it.
  sluice = await createSluice({ SLUICE_WORKERS: '2', SLUICE_DRAIN_TIMEOUT: '1 s', LOG_LEVEL: 'silent' });
  await sluice.start();
});
afterAll(async () => {
  await pool?.end();
  await sluice.remove();
});

async function signIn() {
  const auth = createClient(authRoutes, { baseUrl: sluice.origin, headers: () => ({}) });
  const { access_token } = await auth.login({
    form: { username: sluice.admin.email, password: sluice.admin.password },
  });
  const options = { baseUrl: sluice.origin, headers: () => ({ authorization: `Bearer ${access_token}` }) };
  return {
    comparisons: createClient(llmComparisonRoutes, options),
    providers: createClient(llmProvidersRoutes, options),
  };
}

/**
 * Starts a comparison of a model that answers and a model that never finishes. Resolves when both requests are sent.
 */
async function startOne() {
  const { comparisons, providers } = await signIn();
  const [sandbox] = await providers.listLlmProviders();
  const model = (model_name: string) => ({
    provider_registry_id: sandbox?.provider_registry_id ?? 0,
    model_name,
  });
  const body = { prompt: 'Hello', provider_models: [model('sandbox-echo'), model('sandbox-stall')] };
  const { id } = await comparisons.createComparison({ body });
  const read = () => comparisons.getComparison({ params: { id } });
  const until = (check: (comparison: Comparison) => boolean, timeout: number) =>
    expect.poll(read, { timeout, interval: 200 }).toSatisfy(check);
  await until(
    ({ results: [echo, stall] }) => echo?.status === 'completed' && stall?.request_id !== null,
    20_000,
  );
  return { id, read, until };
}

it('a draining node stores unfinished answers as failed with their tokens before it exits', async () => {
  const { read } = await startOne();
  sluice.signal('SIGTERM', 'supervisor');
  await sluice.exited;
  await sluice.start();
  const { status, results } = await read();
  expect(status).toBe('partial');
  expect(results.map((result) => result.status)).toEqual(['completed', 'failed']);
  expect(results[1]).toMatchObject({
    error_message: interruptedComparison,
    total_tokens: expect.any(Number),
  });
});

it('answers of a killed node are marked as failed and keep their request id', async () => {
  const { id, read, until } = await startOne();
  sluice.signal('SIGKILL', 'supervisor');
  await sluice.exited;
  await sluice.start();
  pool = new pg.Pool({ connectionString: sluice.connectionString(), max: 1 });
  pool.on('error', () => undefined);
  expect((await read()).status).toBe('pending');
  await pool.query(
    "UPDATE llm_comparison_results SET created_at = created_at - interval '5 minutes' WHERE comparison_id = $1",
    [id],
  );
  await until(({ status }) => status === 'partial', 60_000);

  const { results } = await read();
  expect(results.map(({ status }) => status)).toEqual(['completed', 'failed']);
  expect(results[1]?.error_message).toBe(interruptedComparison);
  // The journal survives the kill, so the request is logged exactly once.
  await until(({ results: [, stall] }) => stall?.total_tokens !== null, 60_000);
  const { rows } = await pool.query('SELECT id FROM request_logs WHERE client_request_id = $1', [
    results[1]?.id,
  ]);
  expect(rows).toEqual([{ id: results[1]?.request_id }]);
});
