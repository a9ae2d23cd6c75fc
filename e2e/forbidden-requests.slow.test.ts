import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, roleNames, tasksRoutes, teamsRoutes, tenantsRoutes } from '@sluice/contract';
import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { itSampled } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitAs } from './console.ts';
import { callsAs } from './users-page.ts';
import { noteProblems, signIn } from './visit.ts';

const root = join(import.meta.dirname, '..');
const password = 'a password of somebody';
const publicPaths = ['/', '/?tab=pricing', '/?tab=api', '/?tab=docs'];
const screens = readFileSync(join(root, 'web/src/components/layout/navigation.ts'), 'utf8');
const admin = [...screens.matchAll(/path: '([^']+)'/g)].map(([, path = '']) => path);
const portal = admin.filter((path) => !path.startsWith('/admin'));

startConsole();

const roleId = (name: (typeof roleNames)[number]) => roleNames.indexOf(name) + 1;
const optionsOf = (bearer: string) => ({
  baseUrl: sluice.url,
  headers: () => ({ authorization: `Bearer ${bearer}` }),
});

let count = 0;
async function addUser(role: 'admin' | 'user', isBlocked = false): Promise<string> {
  const { users } = callsAs(token, sluice);
  const email = `reader.${++count}@northwind.dev`;
  const body = { email, password, name: `Reader ${count}`, role_id: roleId(role) };
  const { id } = await users.createUser({ body });
  if (isBlocked) await users.blockUser({ params: { id }, query: { reason: 'Off topic' } });
  return email;
}

const sessionOf = (email: string) => signIn({ ...sluice, email, password });

async function addTeamManager(): Promise<string> {
  const email = await addUser('user');
  const { users } = callsAs(token, sluice);
  const id = (await users.listUsers({ query: {} })).find((user) => user.email === email)?.id ?? 0;
  const teams = createClient(teamsRoutes, optionsOf(token));
  const team = await teams.createTeam({ body: { name: 'Managed' } });
  await teams.addTeamMember({ params: { id: team.id }, body: { user_id: id, role: 'admin' } });
  return email;
}

async function addSuspendedTenant(): Promise<string> {
  const tenants = createClient(tenantsRoutes, optionsOf(token));
  const email = 'ada@suspended.dev';
  const { id } = await tenants.createTenant({
    body: {
      name: 'Suspended',
      administrator_email: email,
      administrator_name: 'Ada Lovelace',
      administrator_password: password,
    },
  });
  await tenants.suspendTenant({ params: { id }, body: { reason: 'Unpaid' } });
  return email;
}

it('the menus contain the paths of the console, the portal and the chat', () => {
  expect(admin).toEqual(expect.arrayContaining(['/admin', '/admin/status', '/dashboard', '/chat']));
  expect(admin.length).toBeGreaterThan(20);
});

beforeAll(async () => {
  const tasks = createClient(tasksRoutes, optionsOf(token));
  const description = 'A task that nobody works for yet';
  await tasks.createTask({ body: { title: 'Unassigned', description } });
});

/** Pages mostly wait for an idle network, so several can load in parallel. */
const tabsMax = 4;

interface Calls {
  readonly made: Set<string>;
  readonly refused: string[];
}

async function collectCalls(paths: readonly string[]): Promise<Calls> {
  const calls: Calls = { made: new Set(), refused: [] };
  const rest = [...paths];
  await Promise.all(
    Array.from({ length: Math.min(tabsMax, paths.length) }, async (_, index) =>
      visitInTurn(index === 0 ? page : await page.context().newPage(), rest, calls),
    ),
  );
  return calls;
}

/** The first visit loads a document. Later visits navigate within the document. */
async function visitInTurn(tab: Page, rest: string[], { made, refused }: Calls): Promise<void> {
  const network = watchNetwork(tab);
  if (tab !== page) noteProblems(tab, refused);
  let from = rest.shift();
  tab.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith('/api/')) return;
    made.add(pathname);
    if (response.status() < 400) return;
    refused.push(`${from}: ${response.status()} ${response.request().method()} ${pathname}`);
  });
  for (let isLoaded = false; from !== undefined; from = rest.shift()) {
    if (isLoaded) await tab.evaluate(`history.pushState({}, '', ${JSON.stringify(from)})`);
    else await tab.goto(from);
    isLoaded = true;
    await network.untilIdle();
  }
}

const idleMs = 500;

/** As with `networkidle`, a page is idle after half a second without requests. */
function watchNetwork(tab: Page) {
  const open = new Set<Request>();
  let changedMs = performance.now();
  const note = () => {
    changedMs = performance.now();
  };
  const end = (request: Request) => {
    open.delete(request);
    note();
  };
  tab.on('request', (request) => {
    open.add(request);
    note();
  });
  tab.on('requestfinished', end);
  tab.on('requestfailed', end);
  return {
    untilIdle: () => {
      note();
      return expect
        .poll(() => open.size === 0 && performance.now() - changedMs > idleMs, { interval: 50 })
        .toBe(true);
    },
  };
}

describe('requests of pages', () => {
  itSampled(6).each<[reader: string, paths: readonly string[], open: () => Promise<string>]>([
    ['a user', portal, async () => sessionOf(await addUser('user'))],
    ['a blocked user', portal, async () => sessionOf(await addUser('user', true))],
    ['a team manager', portal, async () => sessionOf(await addTeamManager())],
    ['an administrator', admin, async () => sessionOf(await addUser('admin'))],
    ['a blocked administrator', admin, async () => sessionOf(await addUser('admin', true))],
    ['an administrator of a suspended tenant', admin, async () => sessionOf(await addSuspendedTenant())],
    ['a super administrator', admin, async () => token],
  ])('pages for %s send only requests that succeed', async (reader, paths, open) => {
    await visitAs(await open());
    const { made, refused } = await collectCalls([...publicPaths, ...paths]);
    expect(refused).toEqual([]);
    // Most pages send additional requests, so the number of paths is a lower bound if each page was rendered. Pages
    // for blocked users send fewer.
    if (!reader.includes('blocked')) expect(made.size).toBeGreaterThan(paths.length);
  });

  it('public pages send only requests that succeed', async () => {
    await visitAs(null);
    const paths = [...publicPaths, '/login', '/signup', '/signup?plan=nope', '/reset-password'];
    expect((await collectCalls(paths)).refused).toEqual([]);
  });
});
