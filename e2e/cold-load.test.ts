import { analyticsRoutes, createClient } from '@sluice/contract';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it, vi } from 'vitest';
import { browser, sluice, startConsole, token } from './console.ts';
import { holding, visit } from './visit.ts';

startConsole();

/** Analytics sends ten requests for figures. Shared code is in up to 20 files per page, so that no page loads code of others. */
const requestsMax = 38;
const paths = {
  stranger: ['/', '/?tab=pricing', '/?tab=api', '/?tab=docs', '/login', '/reset-password'],
  administrator: [
    '/admin',
    '/admin/users',
    '/admin/teams',
    '/admin/provider-access',
    '/admin/blacklist',
    '/admin/budgets',
    '/admin/llm-comparison',
    '/admin/tasks',
    '/admin/llm-providers',
    '/admin/logs',
    '/admin/analytics',
    '/admin/settings',
    '/admin/outbox',
    '/admin/audit-log',
    '/dashboard',
  ],
};

/** Adds data: the code of charts is loaded only if there are figures. */
beforeAll(async () => {
  const answer = await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sluice.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-normal', messages: [{ role: 'user', content: 'Sort a list' }] }),
  });
  expect(answer.status).toBe(200);
  const headers = () => ({ authorization: `Bearer ${token}` });
  const analytics = createClient(analyticsRoutes, { baseUrl: sluice.url, headers });
  await vi.waitFor(async () => {
    expect((await analytics.getUsageFigures({ query: {} })).total_requests).toBe(1);
  }, 30_000);
});

/** Counts requests of a browser with an empty cache until the network is idle. */
async function countRequests(path: string, session: string | null): Promise<number> {
  const held = session === null ? {} : holding(session, sluice);
  const { page, end } = await visit(browser, sluice, held);
  const asked = noteRequests(page);
  await page.goto(path, { waitUntil: 'networkidle' });
  await end();
  return asked.length;
}

function noteRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  return asked;
}

it(`a cold load of any page sends at most ${requestsMax} requests`, async () => {
  const counts: Record<string, number> = {};
  for (const path of paths.stranger) counts[path] = await countRequests(path, null);
  for (const path of paths.administrator) counts[path] = await countRequests(path, token);
  console.table(counts);
  expect(Object.entries(counts).filter(([, count]) => count > requestsMax)).toEqual([]);
});
