import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metricCatalogue } from '#telemetry/metrics/catalogue.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

const token = 'a-token-for-the-metrics';
let gateway: TestGateway;
let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startScriptedProvider();
  provider.scripts.set('broken', answerWith(500, '{}', { 'x-should-retry': 'false' }));
  gateway = await startGateway({
    env: { SLUICE_METRICS_TOKEN: token },
    seed: (seed) =>
      seed.addInstance({ name: 'own', models: ['broken', 'fine'], endpoint: `${provider.origin}/v1` }),
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const scrape = (bearer: string | null = token) =>
  fetch(`${gateway.origin}/metrics`, { headers: bearer ? { authorization: `Bearer ${bearer}` } : {} });

async function read(sample: string): Promise<number | undefined> {
  const line = (await (await scrape()).text()).split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length));
}

describe('GET /metrics', () => {
  it('GET /metrics requires the token', async () => {
    for (const bearer of [null, 'another-token-for-it', gateway.apiKey]) {
      const answer = await scrape(bearer);
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain('sluice_');
    }
    const answer = await scrape();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
  });

  it('GET /metrics counts requests, rejections, answers, errors and tokens', async () => {
    await gateway.complete({ model: 'fine' });
    await gateway.complete({ model: 'broken' });
    await gateway.complete({ model: 'nothing of that name' });
    await gateway.complete({ model: 'fine' }, { apiKey: 'slc_wrong' });
    const custom = 'protocol="openai-chat",operation="chat.completions",provider="custom"';
    await expect.poll(() => read(`sluice_requests_total{${custom},status_class="2xx"}`)).toBe(1);
    expect(await read(`sluice_requests_total{${custom},status_class="5xx"}`)).toBe(1);
    expect(await read('sluice_request_errors_total{provider="custom",code="upstream_error"}')).toBe(1);
    expect(await read('sluice_refusals_total{code="model_not_found"}')).toBe(1);
    expect(await read('sluice_refusals_total{code="invalid_api_key"}')).toBe(1);
    expect(await read('sluice_provider_calls_total{provider="custom",outcome="answered"}')).toBe(1);
    expect(await read('sluice_provider_calls_total{provider="custom",outcome="upstream_error"}')).toBe(1);
    expect(await read('sluice_tokens_total{provider="custom",model="other",kind="output"}')).toBe(1);
    expect(await read('sluice_gate_overhead_seconds_count')).toBe(2);
    expect(await read('sluice_requests_in_flight')).toBe(0);
    expect(await read('sluice_database_up')).toBe(1);
    expect(await read('sluice_workers{state="ready"}')).toBe(1);
  });

  it('GET /metrics has no labels with values chosen by clients', async () => {
    const text = await (await scrape()).text();
    for (const word of ['nothing of that name', gateway.apiKey, gateway.admin.email]) {
      expect(text).not.toContain(word);
    }
  });

  it('GET /metrics has exactly the metrics and labels of docs/TELEMETRY.md', async () => {
    const text = await (await scrape()).text();
    const told = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => ({ name, type }));
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/TELEMETRY.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `(sluice_\w+)` \| (\w+) \| ([^|]*) \|/gm)];
    expect(documented.map(([, name, type]) => ({ name, type }))).toEqual(told);
    const labelsOf = Object.fromEntries(
      documented.map(([, name, , labels = '']) => [
        name,
        [...labels.matchAll(/`(\w+)`/g)].map((one) => one[1]),
      ]),
    );
    const defined = Object.entries(metricCatalogue).map(([name, { labels }]) => [name, [...labels]]);
    expect(labelsOf).toEqual(Object.fromEntries(defined));
    for (const [, name = '', labels = ''] of text.matchAll(
      /^(sluice_\w+?)(?:_bucket|_sum|_count)?\{([^}]*)\}/gm,
    )) {
      const names = [...labels.matchAll(/(\w+)="/g)].map((one) => one[1]).filter((one) => one !== 'le');
      expect(labelsOf[name], name).toEqual(expect.arrayContaining(names));
    }
  });
});

describe('a fresh node', () => {
  it('GET /metrics starts every counter at 0 for the labels in docs/TELEMETRY.md', async () => {
    const fresh = await startGateway({ env: { SLUICE_METRICS_TOKEN: token } });
    const answer = await fetch(`${fresh.origin}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const text = await answer.text();
    await fresh.stop();
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/TELEMETRY.md'), 'utf8');
    const [, section = ''] = page.split('| counter | series from the start |');
    const documented = [...section.matchAll(/^\| `(sluice_\w+)` \|/gm)].map(([, name]) => name);
    const ofJobs = ['sluice_job_failures_total'];
    // Metrics by model. Absent until the first request.
    const laterOnly = ['sluice_tokens_total', 'sluice_cost_usd_total'];
    for (const [name, { type, labels }] of Object.entries(metricCatalogue)) {
      if (type !== 'counter' || [...ofJobs, ...laterOnly].includes(name)) continue;
      const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))];
      expect(values.length, name).toBeGreaterThan(0);
      if (labels.length > 0) expect(documented, name).toContain(name);
      if (!name.startsWith('sluice_process_cpu'))
        expect(new Set(values.map(([, v]) => v)), name).toEqual(new Set(['0']));
    }
    for (const sample of [
      'sluice_requests_total{protocol="gemini",operation="tokens.count",provider="none",status_class="5xx"} 0',
      'sluice_request_errors_total{provider="none",code="internal_error"} 0',
      'sluice_provider_calls_total{provider="anthropic",outcome="provider_auth_failed"} 0',
      'sluice_refusals_total{code="tokens_per_day_exceeded"} 0',
      'sluice_process_exits_total{process="worker"} 0',
      'sluice_telemetry_dropped_total{signal="alerts"} 0',
    ])
      expect(text).toContain(`${sample}\n`);
  });
});

it('GET /metrics returns 401 if SLUICE_METRICS_TOKEN is not set', async () => {
  const closed = await startGateway();
  const answer = await fetch(`${closed.origin}/metrics`, { headers: { authorization: 'Bearer undefined' } });
  expect([answer.status, await answer.json()]).toEqual([
    401,
    { detail: 'Metrics are disabled: SLUICE_METRICS_TOKEN is not set on this server.' },
  ]);
  await closed.stop();
});
