import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { browser, shareConsole, sluice, token } from './console.ts';
import { holding, visit } from './visit.ts';

shareConsole();

const requestsMax = 37;
const paths = {
  stranger: ['/', '/?tab=pricing', '/?tab=api', '/?tab=docs', '/login', '/reset-password'],
  administrator: [
    '/admin',
    '/admin/users',
    '/admin/teams',
    '/admin/provider-access',
    '/admin/blacklist',
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

/** By a browser that has nothing yet, until nothing more is asked for. */
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

it(`a cold load of any page asks for ${requestsMax} things at most`, async () => {
  const counts: Record<string, number> = {};
  for (const path of paths.stranger) counts[path] = await countRequests(path, null);
  for (const path of paths.administrator) counts[path] = await countRequests(path, token);
  console.table(counts);
  expect(Object.entries(counts).filter(([, count]) => count > requestsMax)).toEqual([]);
});
