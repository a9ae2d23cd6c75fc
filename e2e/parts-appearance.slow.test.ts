import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { itSampled } from '../server/test/load/sample.ts';
import { launchBrowser } from './browser.ts';
import { findSeriousFaults, looksAt, sampleLooks, saveScreenshot } from './looks.ts';
import { type RunningParts, startParts } from './parts-page.ts';
import { type Visit, visit } from './visit.ts';

let parts: RunningParts;
let browser: Browser;
let current: Visit | undefined;
let page: Page;

beforeAll(async () => {
  [parts, browser] = await Promise.all([startParts(), launchBrowser()]);
});

afterAll(async () => {
  await current?.end();
  await parts?.stop();
});

afterEach(() => {
  expect(current?.problems).toEqual([]);
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

describe.each([1440, 390])('at %i px', (width) => {
  const turn = Number(width === 390);
  const open = async (path: string) => {
    if (current) await current.renew();
    else current = await visit(browser, parts, { reducedMotion: 'reduce' });
    page = current.page;
    await page.setViewportSize({ width, height: width > 600 ? 820 : 780 });
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: 'Parts' }).waitFor();
    await page.evaluate('document.fonts.ready');
  };

  /** Checks both schemes and saves a screenshot of each. */
  const expectGood = async (name: string, within = 'html', fullPage = false) => {
    for (const { colorScheme } of sampleLooks(looksAt([width]), turn)) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      await saveScreenshot(page, `parts-${name}-${width}-${colorScheme}`, fullPage);
      expect(await findSeriousFaults(page, { within }), colorScheme).toEqual([]);
    }
  };

  it('the parts page is accessible and fits', async () => {
    await open('/parts');
    await page.getByRole('application', { name: 'Top API Keys Usage' }).waitFor();
    await expectGood('page', 'html', true);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });

  itSampled(4, turn).each([
    ['dialogs', 'Open dialog', 'A long dialog'],
    ['dialogs', 'Open drawer', 'Aiko Tanaka · gpt-5-mini'],
    ['dialogs', 'Confirm by name', 'Delete provider'],
    ['secrets', 'Show a secret once', 'API key created'],
    ['forms', '+ Create User', 'Create User'],
  ])('the dialog opened from %s by %s is accessible and fits', async (group, opener, title) => {
    await open(`/parts?only=${group}`);
    await button(opener).click();
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.waitFor();
    if (title === 'Create User') {
      await dialog.getByRole('button', { name: title }).click();
      await dialog.getByText('Name is required').waitFor();
    }
    await expectGood(title.toLowerCase().replace(/\W+/g, '-'), '[role="dialog"]');
    const box = await dialog.boundingBox();
    expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  });

  it('toasts are accessible and fit the screen', async () => {
    await open('/parts?only=toasts');
    for (const name of ['Message', 'Error', 'Loading, then success']) await button(name).click();
    await page.getByText('Testing connection...').waitFor();
    // Toasts remain while the pointer is over them.
    await page.getByText('The export has started').hover();
    await expectGood('toasts', '[data-position="bottom-right"]');
  });
});
