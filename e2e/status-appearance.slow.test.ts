import type { Operation } from '@sluice/contract';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, shareConsole, visitConsole } from './console.ts';
import { describeLooks, type State } from './looks.ts';
import { answer } from './users-page.ts';

const node: Operation['nodes'][number] = {
  name: 'gate-1:8080',
  version: '0.1.0',
  started_at: '2026-11-20T09:00:00.000Z',
  seen_at: new Date().toISOString(),
  is_asked: true,
  workers: 4,
  workers_ready: 4,
  unready_reason: null,
  requests_in_flight: 37,
  journal_backlog_bytes: 0,
  journal_backlog_age_seconds: 0,
  circuits_open: 2,
  memory_bytes: 812_000_000,
  replica: { state: 'in_use', lag_seconds: 0.42, problem: null },
};
const job = {
  is_running: false,
  next_at: new Date(Date.now() + 30_000).toISOString(),
  started_at: new Date().toISOString(),
  duration_ms: 12.4,
  succeeded_at: new Date().toISOString(),
  failures: 0,
  last_error: null,
};
const busy: Operation = {
  nodes: [
    node,
    {
      ...node,
      name: 'gate-2:8080',
      is_asked: false,
      workers_ready: 3,
      unready_reason: 'The database cannot be reached.',
      replica: {
        state: 'behind',
        lag_seconds: 184,
        problem: 'It is behind the primary by 184 s, more than the 60 s of DATABASE_READ_MAX_LAG.',
      },
      journal_backlog_bytes: 5_400_000,
      journal_backlog_age_seconds: 94,
    },
  ],
  database: { version: '16.4', size_bytes: 41_300_000_000, connections: 48, connections_max: 200 },
  circuits: [
    {
      tenant_name: 'Nordwind Logistics',
      provider_instance_name: 'Anthropic EU',
      model: 'claude-sonnet-4-5',
      retry_at: new Date(Date.now() + 20_000).toISOString(),
    },
  ],
  jobs: [
    { ...job, name: 'check-last-entries' },
    {
      ...job,
      name: 'delete-expired-request-logs',
      failures: 3,
      last_error: 'canceling statement due to lock timeout',
    },
    { ...job, name: 'send-alerts' },
  ],
  backed_up_at: new Date().toISOString(),
  mails_waiting: 2,
  mails_held: 1,
  invariants: { ledger_drift_tenants: 0, allowance_drift: null, lost_nodes: 1 },
};

shareConsole();

describe('a super administrator', () => {
  visitConsole();

  it('a super administrator opens the status of the responding node from the sidebar', async () => {
    await page.goto('/admin');
    await page.getByRole('link', { name: 'Status', exact: true }).click();
    await page.getByRole('heading', { name: 'Status', exact: true }).waitFor();
    await page.getByText('1 of 1 ready').waitFor();
    await page.getByText('Accepts requests').waitFor();
    await page.getByText(/PostgreSQL \d+/).waitFor();
  });

  it('the status page states that no node has sent a report, and not 0 of 0', async () => {
    await show(empty)(page);
    await page.getByText('No report in the last minute.').waitFor();
    expect(await page.getByText('0 of 0').count()).toBe(0);
  });

  itAtFullSize('a super administrator schedules a job to run now with its button', async () => {
    await page.goto('/admin/status');
    await page.getByRole('button', { name: 'Run Delete expired request logs now' }).click();
    await page.getByText('Delete expired request logs starts within 5 seconds').waitFor();
  });
});

const show = (operation: Operation) => async (shown: Page) => {
  await shown.route('**/api/v1/status', answer(200, { version: '0.1.0', banners: [], operation }));
  await shown.goto('/admin/status');
  await shown.getByRole('heading', { name: 'Jobs' }).waitFor();
};
const empty: Operation = {
  ...busy,
  nodes: [],
  circuits: [],
  jobs: [],
  mails_waiting: 0,
  mails_held: 0,
  invariants: { ledger_drift_tenants: null, allowance_drift: null, lost_nodes: null },
};

const states: readonly State[] = [
  { name: 'busy', isInEveryLook: true, show: show(busy) },
  { name: 'empty', show: show(empty) },
];

describeLooks('the status of an installation', 'status', states);
