import { createClient, logsRoutes } from '@sluice/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, vi } from 'vitest';
import { itSampled } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitAs } from './console.ts';
import { everyLook, expectGoodLooks } from './looks.ts';

startConsole();
beforeAll(async () => {
  const request = { model: 'sandbox-normal', messages: [{ role: 'user', content: 'Which lanes are open?' }] };
  await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sluice.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  }).then((response) => response.text());
  const headers = () => ({ authorization: `Bearer ${token}` });
  const logs = createClient(logsRoutes, { baseUrl: sluice.url, headers });
  // Waits for the log row, which is written after the response.
  await vi.waitFor(async () => expect(await logs.listLogs({ query: {} })).toHaveLength(1), 30_000);
});

interface Place {
  name: string;
  path: string;
  heading: string;
  isPublic?: boolean;
  prepare?: (page: Page) => Promise<void>;
}

const places: Place[] = [
  { name: 'home', path: '/', heading: 'One gateway for every model', isPublic: true },
  { name: 'login', path: '/login', heading: 'Sign in to Sluice', isPublic: true },
  { name: 'not-found', path: '/nowhere', heading: 'Page not found', isPublic: true },
  { name: 'overview', path: '/admin', heading: 'Welcome' },
  { name: 'users', path: '/admin/users', heading: 'User Management', prepare: awaitRows },
  { name: 'logs', path: '/admin/logs', heading: 'System Logs', prepare: awaitRows },
  { name: 'log-open', path: '/admin/logs', heading: 'System Logs', prepare: openFirstRow },
  { name: 'admin-not-found', path: '/admin/nowhere', heading: 'Page not found' },
  { name: 'dashboard', path: '/dashboard', heading: 'Welcome' },
];

describe('the console', () => {
  itSampled(4).each(places)(
    'the page $name is accessible, fits, and triggers no browser violation',
    async (place) => {
      await visitAs(place.isPublic ? null : token);
      await page.goto(place.path);
      await page.getByRole('heading', { level: 1, name: place.heading }).waitFor();
      await place.prepare?.(page);
      await expectGoodLooks(page, place.name, everyLook);
    },
  );
});

async function awaitRows(page: Page) {
  await page.locator('table[aria-busy="false"]').waitFor();
}

async function openFirstRow(page: Page) {
  await page.getByRole('button', { name: 'Details' }).first().click();
  await page.locator('section[aria-label^="Request "][aria-busy="false"]').waitFor();
}
