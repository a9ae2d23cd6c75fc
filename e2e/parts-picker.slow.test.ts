import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { launchBrowser } from './browser.ts';
import { findSeriousFaults, saveScreenshot, twoLooks } from './looks.ts';
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

beforeEach(async () => {
  if (current) await current.renew();
  else current = await visit(browser, parts, { reducedMotion: 'reduce' });
  page = current.page;
  await page.goto('/parts?only=pickers');
  await page.getByRole('heading', { level: 1, name: 'Parts' }).waitFor();
});

afterEach(async () => {
  expect(current?.problems).toEqual([]);
});

const field = (name: string) => page.getByRole('combobox', { name, exact: true });
const options = () => page.getByRole('option').allInnerTexts();
const chips = () => page.getByRole('button', { name: /^Remove / }).all();

/** Reads the option as exposed to assistive technology. */
async function readActive(name: string): Promise<string> {
  const id = await field(name).getAttribute('aria-activedescendant');
  return page.locator(`[id="${id}"]`).innerText();
}

describe('single picker', () => {
  itAtFullSize('a picker shows at most five options, and how many more there are', async () => {
    await field('User').click();
    await page.getByText('2 more available', { exact: true }).waitFor();
    expect((await options()).length).toBe(5);
    await page.getByRole('status').getByText('5 shown, 2 more available').waitFor();
  });

  it('a picker finds a user by typed text, works by keyboard alone, and shows the selection', async () => {
    await field('User').press('ArrowDown');
    await field('User').pressSequentially('we');
    await expect.poll(() => readActive('User')).toContain('Jonas Weber');
    await field('User').fill('n');
    await field('User').press('ArrowDown');
    await field('User').press('ArrowDown');
    await field('User').press('ArrowUp');
    const chosen = (await readActive('User')).split('\n')[0];
    await field('User').press('Enter');
    await expect.poll(() => field('User').inputValue()).toBe(chosen);
    await expect.poll(() => field('User').getAttribute('aria-expanded')).toBe('false');
  });

  itAtFullSize('a picker keeps the selection when a search is abandoned, and can be cleared', async () => {
    await field('User').fill('maya');
    await field('User').press('Enter');
    await field('User').pressSequentially('tom');
    await field('User').press('Escape');
    await expect.poll(() => field('User').inputValue()).toBe('Maya Ortiz');
    await page.getByRole('button', { name: 'Clear User' }).click();
    await expect.poll(() => field('User').inputValue()).toBe('');
  });

  itAtFullSize('a picker marks blocked users', async () => {
    await field('User').fill('lena');
    expect(await page.getByRole('option', { name: /Lena Fischer/ }).innerText()).toContain('Blocked');
  });

  itAtFullSize('a picker shows that no option matches', async () => {
    await field('User').fill('nobody');
    await page.getByRole('status').getByText('No results for “nobody”').waitFor();
    expect(await options()).toEqual([]);
  });

  itAtFullSize('a picker shows that options are loading, or the error with a retry button', async () => {
    await field('Task').click();
    await page.getByRole('status').getByText('Loading...').waitFor();
    await field('Team').click();
    await page.getByRole('button', { name: 'Try Again' }).waitFor();
    await field('Team').press('Enter');
    await page.getByText('Retried').waitFor();
  });
});

describe('multiple picker', () => {
  itAtFullSize(
    'a multiple picker does not offer selected users, and removes them by Backspace and by their remove button',
    async () => {
      await field('Users').fill('maya');
      await field('Users').press('Enter');
      await field('Users').press('ArrowDown');
      expect(await options()).not.toContainEqual(expect.stringContaining('Maya Ortiz'));
      await page.getByRole('option', { name: /Aiko Tanaka/ }).click();
      expect(await Promise.all((await chips()).map((chip) => chip.getAttribute('aria-label')))).toEqual([
        'Remove Jonas Weber',
        'Remove Maya Ortiz',
        'Remove Aiko Tanaka',
      ]);
      await field('Users').press('Backspace');
      await page.getByRole('button', { name: 'Remove Jonas Weber' }).click();
      await expect.poll(async () => (await chips()).length).toBe(1);
      await page.getByRole('button', { name: 'Remove Maya Ortiz' }).press('Enter');
      await page.getByText('Please select at least one user to add.').waitFor();
      expect(await field('Users').getAttribute('aria-invalid')).toBe('true');
    },
  );
});

describe('open pickers', () => {
  itSampled(2).each(twoLooks)(
    'open pickers are accessible and fit at $width px, $colorScheme',
    async (look) => {
      const { width, colorScheme } = look;
      await page.setViewportSize({ width, height: 780 });
      await page.emulateMedia({ colorScheme });
      for (const name of ['User', 'Users', 'Task', 'Team']) {
        await field(name).click();
        await page.getByRole('listbox').waitFor({ state: 'attached' });
        await saveScreenshot(page, `parts-picker-${name}-${width}`);
        expect(await findSeriousFaults(page), name).toEqual([]);
        await field(name).press('Escape');
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    },
  );
});
