import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createClient, logsRoutes, tasksRoutes, teamsRoutes, usersRoutes } from '@sluice/contract';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isFullSize, sample } from '../server/test/load/sample.ts';
import { browser, sluice, startDemoConsole, token } from './console.ts';
import { holding, visit } from './visit.ts';

// Demo data is needed: chart code loads only if there are figures, and the overview sends the most requests for a
// tenant that is set up.
startDemoConsole();

const requestsMax = 30;
/** Maximum number of requests for a link that opens a drawer or dialog, which needs additional files and data. */
const linkRequestsMax = 36;
/** Paths with the most requests. Every run visits them. */
const heaviest = ['/admin', '/admin/analytics?team=1'];
const paths = {
  stranger: [
    '/',
    '/?tab=pricing',
    '/?tab=api',
    '/?tab=docs',
    '/login',
    '/login/callback/unknown',
    '/signup',
    '/signup/confirm/unknown',
    '/invitation/unknown',
    '/reset-password',
    '/reset-password/unknown',
  ],
  administrator: [
    '/device',
    '/admin/users',
    '/admin/users?tab=invitations',
    '/admin/users?tab=appeals',
    '/admin/teams',
    '/admin/provider-access',
    '/admin/provider-access?tab=summary',
    '/admin/blacklist',
    '/admin/budgets',
    '/admin/statements',
    '/admin/service-accounts',
    '/admin/management-tokens',
    '/admin/identity-providers',
    '/admin/llm-comparison',
    '/admin/tasks',
    '/admin/llm-providers',
    '/admin/llm-providers?tab=models',
    '/admin/llm-providers?tab=registry',
    '/admin/tenant-credits',
    '/admin/tenant-credits?tab=billing',
    '/admin/webhook-monitoring',
    '/admin/logs',
    '/admin/analytics',
    '/admin/shadow-runs',
    '/admin/settings',
    '/admin/outbox',
    '/admin/status',
    '/admin/audit-log',
    '/dashboard',
    '/dashboard/usage',
    '/dashboard/history',
    '/dashboard/tasks',
    '/dashboard/api-keys',
    '/dashboard/profile',
    '/chat',
  ],
};

/** Returns the links with the most requests first. */
async function listLinks(): Promise<string[]> {
  const options = { baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) };
  const users = await createClient(usersRoutes, options).listUsers({ query: {} });
  const user = users.find(({ role_name }) => role_name === 'user')?.id;
  const { teams } = await createClient(teamsRoutes, options).listTeams({ query: {} });
  const [task] = await createClient(tasksRoutes, options).listTasks({ query: {} });
  const logs = await createClient(logsRoutes, options).listLogs({ query: { limit: 1 } });
  const [log] = Array.isArray(logs) ? logs : logs.logs;
  return [
    `/admin/users?open=${user}`,
    `/admin/users?open=${user}&act=api-key`,
    `/admin/users?open=${user}&act=access`,
    `/admin/users?open=${user}&act=edit`,
    `/admin/users?open=${user}&act=block`,
    '/admin/users?add=create',
    '/admin/users?add=invite',
    `/admin/teams?open=${teams[0]?.id}`,
    `/admin/tasks?open=${task?.id}`,
    `/admin/logs?open=${log?.id}`,
    `/admin/provider-access?explain=${user}`,
    '/admin/provider-access?grant=1',
    '/admin/audit-log?open=1',
  ];
}

const opened = '[role="dialog"]';
/** Matches tables, charts and texts whose data has not arrived. */
const loading = '[aria-busy="true"], [class*="skeleton" i]';

/** Starts with an empty cache and waits until the page shows its content and the network is idle. */
async function listRequests(path: string, session: string | null, shown = 'h1, h2'): Promise<string[]> {
  const held = session === null ? {} : holding(session, sluice);
  const { page, end } = await visit(browser, sluice, held);
  const requested = noteRequests(page);
  await page.goto(path);
  await page.locator(shown).first().waitFor();
  await expect.poll(() => page.locator(loading).count()).toBe(0);
  await page.waitForLoadState('networkidle');
  await end();
  return requested;
}

function noteRequests(page: Page): string[] {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  return requested;
}

const kinds = { js: /\.js$/, fonts: /\.woff2$/, calls: /^\/api\// };

const countByKind = (requested: readonly string[]) => ({
  all: requested.length,
  ...Object.fromEntries(
    Object.entries(kinds).map(([kind, pattern]) => [
      kind,
      requested.filter((path) => pattern.test(path)).length,
    ]),
  ),
});

/** Returns file names without extension. */
const listPages = () =>
  ['admin', 'portal', 'public'].flatMap((area) =>
    readdirSync(join(import.meta.dirname, '..', 'web', 'src', 'pages', area))
      .filter((file) => file.endsWith('.tsx'))
      .map((file) => basename(file, '.tsx')),
  );

it(`a cold load sends at most ${requestsMax} requests for any page, and at most ${linkRequestsMax} for a link to a drawer or dialog`, async () => {
  const loads: Record<string, string[]> = {};
  for (const path of sample(paths.stranger, 5)) loads[path] = await listRequests(path, null);
  for (const path of [...heaviest, ...sample(paths.administrator, 5)])
    loads[path] = await listRequests(path, token);
  const [first = '', ...links] = await listLinks();
  for (const path of [first, ...sample(links, 4)]) loads[path] = await listRequests(path, token, opened);
  const counts = Object.entries(loads).map(([path, requested]) => ({ path, ...countByKind(requested) }));
  console.table(counts);
  const files = Object.values(loads).flat();
  const isLoaded = (page: string) => files.some((file) => file.startsWith(`/assets/${page}-`));
  // The page `second-factor` opens only for users whose role requires a second factor that is not set up.
  if (isFullSize) expect(listPages().filter((page) => !isLoaded(page))).toEqual(['second-factor']);
  const limitOf = (path: string) =>
    /[?&](open|act|add|explain|grant)=/.test(path) ? linkRequestsMax : requestsMax;
  expect(counts.filter(({ path, all }) => all > limitOf(path))).toEqual([]);
});
