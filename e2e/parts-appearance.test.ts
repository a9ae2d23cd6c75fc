import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findSeriousFaults } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { type RunningParts, startParts } from './parts-page.ts';
import { type Visit, visit } from './visit.ts';

let parts: RunningParts;
let browser: Browser;
let current: Visit;
let page: Page;

beforeAll(async () => {
  [parts, browser] = await Promise.all([startParts(), launchBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await parts?.stop();
});

afterEach(async () => {
  expect(current.problems).toEqual([]);
  await current.end();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

const looks = [1440, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

describe.each(looks)('at $width px, $colorScheme', ({ width, colorScheme }) => {
  const look = (name: string, isWhole = false) => {
    const path = join(import.meta.dirname, 'screenshots', `parts-${name}-${width}-${colorScheme}.png`);
    return page.screenshot({ path, fullPage: isWhole });
  };

  const open = async (path: string) => {
    const viewport = { width, height: width > 600 ? 820 : 780 };
    current = await visit(browser, parts, { viewport, colorScheme, reducedMotion: 'reduce' });
    page = current.page;
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: 'Parts' }).waitFor();
    await page.evaluate('document.fonts.ready');
  };

  it('the page is accessible and fits', async () => {
    await open('/parts');
    await page.getByRole('application', { name: 'Top API Keys Usage' }).waitFor();
    await look('page', true);
    expect(await findSeriousFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });

  it.each([
    ['dialogs', 'Open dialog', 'A long dialog'],
    ['dialogs', 'Open drawer', 'Aiko Tanaka · gpt-5-mini'],
    ['dialogs', 'Ask for the name', 'Delete provider'],
    ['secrets', 'Show a secret once', 'API key created'],
    ['forms', '+ Create User', 'Create User'],
  ])('what opens from %s by %s is accessible and fits', async (group, opener, title) => {
    await open(`/parts?only=${group}`);
    await button(opener).click();
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.waitFor();
    if (title === 'Create User') {
      await dialog.getByRole('button', { name: title }).click();
      await dialog.getByText('Name is required').waitFor();
    }
    await look(title.toLowerCase().replace(/\W+/g, '-'));
    expect(await findSeriousFaults(page, '[role="dialog"]')).toEqual([]);
    const box = await dialog.boundingBox();
    expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  });

  it('toasts are accessible and fit', async () => {
    await open('/parts?only=toasts');
    for (const name of ['Message', 'Error', 'Loading, then success']) await button(name).click();
    await page.getByText('Testing connection...').waitFor();
    await look('toasts');
    expect(await findSeriousFaults(page, '[data-position="bottom-right"]')).toEqual([]);
  });
});
