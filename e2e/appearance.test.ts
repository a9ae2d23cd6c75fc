import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSeriousFaults } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { type RunningSluice, startSluice } from './running-sluice.ts';
import { holding, signIn, visit } from './visit.ts';

let sluice: RunningSluice;
let browser: Browser;
let token: string;

beforeAll(async () => {
  [sluice, browser] = await Promise.all([startSluice(), launchBrowser()]);
  token = await signIn(sluice);
  const request = { model: 'sandbox-normal', messages: [{ role: 'user', content: 'Which lanes are open?' }] };
  await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sluice.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  }).then((response) => response.text());
});

afterAll(async () => {
  await browser?.close();
  await sluice?.stop();
});

interface Place {
  name: string;
  path: string;
  heading: string;
  isPublic?: boolean;
  prepare?: (page: Page) => Promise<void>;
}

const places: Place[] = [
  { name: 'home', path: '/', heading: 'One gate for every model', isPublic: true },
  { name: 'login', path: '/login', heading: 'Sign in to Sluice', isPublic: true },
  { name: 'not-found', path: '/nowhere', heading: 'There is no such page', isPublic: true },
  { name: 'overview', path: '/admin', heading: 'Welcome' },
  { name: 'users', path: '/admin/users', heading: 'User Management', prepare: awaitRows },
  { name: 'logs', path: '/admin/logs', heading: 'System Logs', prepare: awaitRows },
  { name: 'log-open', path: '/admin/logs', heading: 'System Logs', prepare: openFirstRow },
  { name: 'admin-not-found', path: '/admin/nowhere', heading: 'There is no such page' },
  { name: 'dashboard', path: '/dashboard', heading: 'Welcome' },
];

const looks = [1440, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

describe.each(looks)('at $width px, $colorScheme', ({ width, colorScheme }) => {
  it.each(places)('$name is accessible, fits, and breaks no rule of the browser', async (place) => {
    const viewport = { width, height: width > 600 ? 820 : 780 };
    const { page, problems, end } = await visit(browser, sluice, {
      ...(place.isPublic ? {} : holding(token, sluice)),
      viewport,
      colorScheme,
    });
    await page.goto(place.path);
    await page.getByRole('heading', { level: 1, name: place.heading }).waitFor();
    await place.prepare?.(page);
    await page.evaluate('document.fonts.ready');

    const file = `${place.name}-${width}-${colorScheme}.png`;
    await page.screenshot({ path: join(import.meta.dirname, 'screenshots', file) });
    expect(await findSeriousFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(problems).toEqual([]);
    await end();
  });
});

async function awaitRows(page: Page) {
  await page.locator('table[aria-busy="false"]').waitFor();
}

async function openFirstRow(page: Page) {
  await page.getByRole('button', { name: 'Details' }).first().click();
  await page.locator('section[aria-label^="Request "][aria-busy="false"]').waitFor();
}
