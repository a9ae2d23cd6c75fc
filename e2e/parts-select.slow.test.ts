import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { launchBrowser } from './browser.ts';
import { everyLook, expectGoodLooks, findSeriousFaults } from './looks.ts';
import { type RunningParts, startParts } from './parts-page.ts';
import { chooseOption, optionsOf, readOptions, selectField } from './select-field.ts';
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

async function open() {
  await page.goto('/parts?only=selects');
  await page.getByRole('heading', { level: 1, name: 'Parts' }).waitFor();
}

beforeEach(async () => {
  if (current) await current.renew();
  else current = await visit(browser, parts, { reducedMotion: 'reduce' });
  page = current.page;
  await open();
});

afterEach(() => {
  expect(current?.problems).toEqual([]);
});

const field = (label: string) => selectField(page, label);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const isOpen = (label: string) => field(label).getAttribute('aria-expanded');
const value = (label: string) => field(label).inputValue();
const scrollTop = () => page.evaluate<number>('document.scrollingElement.scrollTop');

/** Reads the option as exposed to assistive technology. */
async function readActive(label: string): Promise<string> {
  const id = await field(label).getAttribute('aria-activedescendant');
  return page.locator(`[id="${id}"]`).innerText();
}

async function boxOf(locator: ReturnType<typeof field>) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not on the page');
  return box;
}

describe('a select by keyboard', () => {
  it('a select opens at the selected option with an arrow key, moves with arrows, and selects with Enter', async () => {
    await field('Model').press('ArrowDown');
    await expect.poll(() => readActive('Model')).toBe('claude-20');
    expect(await optionsOf(page).and(page.locator('[aria-selected="true"]')).allInnerTexts()).toEqual([
      'claude-20',
    ]);
    await field('Model').press('ArrowDown');
    await field('Model').press('Enter');
    expect([await value('Model'), await isOpen('Model')]).toEqual(['gpt-21', 'false']);
  });

  itAtFullSize(
    'a select moves to the first and last option with Home and End, scrolls them into view, and wraps around',
    async () => {
      const top = await scrollTop();
      await field('Model').press('ArrowUp');
      for (const [key, name] of [
        ['Home', 'gpt-1'],
        ['ArrowUp', 'claude-24'],
        ['ArrowDown', 'gpt-1'],
        ['End', 'claude-24'],
      ] as const) {
        await field('Model').press(key);
        expect(await readActive('Model')).toBe(name);
        const list = await boxOf(page.getByRole('listbox'));
        const option = await boxOf(page.getByRole('option', { name, exact: true }));
        expect(option.y).toBeGreaterThanOrEqual(list.y - 1);
        expect(option.y + option.height).toBeLessThanOrEqual(list.y + list.height + 1);
      }
      expect(await scrollTop()).toBe(top);
    },
  );

  itAtFullSize('a select finds options by typing, even after an abandoned search', async () => {
    await field('Model').focus();
    await page.keyboard.type('gpt-1');
    await expect.poll(() => optionsOf(page).allInnerTexts()).toContain('gpt-13');
    expect(await optionsOf(page).allInnerTexts()).not.toContain('claude-12');
    await page.keyboard.press('Escape');
    expect(await value('Model')).toBe('claude-20');
    await page.keyboard.type('claude-8');
    await page.keyboard.press('Enter');
    expect(await value('Model')).toBe('claude-8');
    await page.keyboard.type('gpt-7');
    await page.keyboard.press('Tab');
    expect(await value('Model')).toBe('gpt-7');
  });

  itAtFullSize('a select shows that no option matches, and Enter then does not submit the form', async () => {
    await field('Role of the invitation').focus();
    await page.keyboard.type('owner');
    await page.getByRole('status').getByText('No results for “owner”').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    expect(await page.getByText('The form was sent').count()).toBe(0);
    expect(await value('Role of the invitation')).toBe('Select a role');
  });

  itAtFullSize('a select opens and selects with Space', async () => {
    await field('Role').press(' ');
    await field('Role').press('ArrowDown');
    await field('Role').press(' ');
    expect([await value('Role'), await isOpen('Role')]).toEqual(['User', 'false']);
  });

  itAtFullSize('Enter submits a form from a closed select, but not when it selects an option', async () => {
    const role = field('Role of the invitation');
    await role.press('ArrowDown');
    await role.press('ArrowDown');
    await role.press('Enter');
    expect(await value('Role of the invitation')).toBe('User');
    expect(await page.getByText('The form was sent').count()).toBe(0);
    await role.press('Enter');
    await page.getByText('The form was sent').waitFor();
  });

  itAtFullSize('Tab selects the active option of a select and moves to the next field', async () => {
    await field('Role').press('ArrowDown');
    await field('Role').press('End');
    await field('Role').press('Tab');
    expect([await value('Role'), await isOpen('Role')]).toEqual(['Auditor', 'false']);
    await page.locator(':focus').and(field('Model')).waitFor();
  });
});

describe('a select', () => {
  itAtFullSize('a select shows all options of a short list, and why an option is disabled', async () => {
    expect(await readOptions(page, 'Role')).toEqual([
      'Select a role',
      'User',
      'Admin Limit reached',
      'Auditor',
    ]);
    await field('Role').click();
    const admin = page.getByRole('option', { name: 'Admin Limit reached' });
    expect(await admin.getAttribute('aria-disabled')).toBe('true');
    await admin.click({ force: true });
    expect([await value('Role'), await isOpen('Role')]).toEqual(['Select a role', 'true']);
    await field('Role').press('ArrowDown');
    await field('Role').press('ArrowDown');
    expect(await readActive('Role')).toContain('Limit reached');
    await field('Role').press('Enter');
    expect(await value('Role')).toBe('Select a role');
  });

  itAtFullSize('a select opens and closes on a click, and closes on a click outside', async () => {
    await field('Role').click();
    expect(await isOpen('Role')).toBe('true');
    await field('Role').click();
    expect(await isOpen('Role')).toBe('false');
    await field('Role').click();
    await page.getByRole('heading', { name: 'Selects' }).click();
    await expect.poll(() => isOpen('Role')).toBe('false');
    await chooseOption(page, 'Role', 'Auditor');
    expect(await value('Role')).toBe('Auditor');
    await chooseOption(page, 'Role', 'Select a role');
    expect(await value('Role')).toBe('Select a role');
  });

  itAtFullSize('a select shows loading, empty and error states', async () => {
    expect(await value('Team')).toBe('Loading teams...');
    expect(await field('Team').getAttribute('aria-busy')).toBe('true');
    expect(await field('Team').isDisabled()).toBe(true);
    await field('Provider').click();
    await page.getByRole('status').getByText('No options available').waitFor();
    const described = await field('Reason').getAttribute('aria-describedby');
    const texts = (described ?? '').split(' ').map((id) => page.locator(`[id="${id}"]`).innerText());
    expect(await Promise.all(texts)).toContain('Reason is required');
    expect(await field('Reason').getAttribute('aria-invalid')).toBe('true');
  });

  itAtFullSize(
    'a select is not clipped by scrollable containers, and opens upward at the bottom of the screen',
    async () => {
      await field('Scrolled model').click();
      const list = page.getByRole('listbox');
      await list.waitFor();
      const around = await boxOf(page.getByRole('region', { name: 'Scrollable container' }));
      expect((await boxOf(list)).height).toBeGreaterThan(around.height);
      await field('Scrolled model').press('Escape');
      await page.setViewportSize({ width: 1280, height: 500 });
      await page.evaluate(`scrollTo(0, document.body.scrollHeight)`);
      const top = await scrollTop();
      await button('Select in a drawer').scrollIntoViewIfNeeded();
      await field('Scrolled model').click();
      await expect
        .poll(async () => (await boxOf(list)).y)
        .toBeLessThan((await boxOf(field('Scrolled model'))).y);
      expect((await boxOf(list)).y).toBeGreaterThanOrEqual(0);
      expect(await scrollTop()).toBe(top);
    },
  );
});

describe.each([
  ['Select in a dialog', 'Dialog model'],
  ['Select in a drawer', 'Drawer model'],
])('by %s', (opener, label) => {
  itAtFullSize('Escape closes the list of a select before its container', async () => {
    await button(opener).click();
    await field(label).click();
    const list = page.getByRole('listbox');
    await list.hover();
    await page.mouse.wheel(0, -2000);
    await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(0);
    await page.keyboard.press('Escape');
    expect(await isOpen(label)).toBe('false');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

/** Runs in the browser. Returns whether the list is shown a few frames after a click on the focused field. */
const opensWithinFrames = `(async () => {
  document.activeElement.click();
  for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
  return document.querySelector('[role="listbox"]') !== null;
})()`;

describe('on a phone', () => {
  itAtFullSize(
    'a select works by touch with large enough targets, and a short list does not open the keyboard',
    async () => {
      const phone = await visit(browser, parts, {
        viewport: { width: 390, height: 780 },
        hasTouch: true,
        isMobile: true,
        reducedMotion: 'reduce',
      });
      const before = page;
      page = phone.page;
      try {
        await open();
        expect(await field('Role').getAttribute('inputmode')).toBe('none');
        expect(await field('Model').getAttribute('inputmode')).toBe('search');
        await button('Select in a dialog').tap();
        await field('Dialog model').tap();
        const option = page.getByRole('option', { name: 'gpt-19', exact: true });
        expect((await boxOf(option)).height).toBeGreaterThanOrEqual(44);
        await option.tap();
        expect(await value('Dialog model')).toBe('gpt-19');
        expect(phone.problems).toEqual([]);
      } finally {
        page = before;
        await phone.end();
      }
    },
  );
});

describe('an open select', () => {
  itAtFullSize('a select opens within five frames when its code was prefetched', async () => {
    await page.mouse.move(1, 1);
    await page.waitForLoadState('networkidle');
    await field('Model').focus();
    expect(await page.evaluate(opensWithinFrames)).toBe(true);
  });

  itSampled(3).each(['Role', 'Model', 'Provider'])(
    'an open select is accessible and fits: %s',
    async (label) => {
      await field(label).click();
      await page.getByRole('listbox').waitFor({ state: 'attached' });
      await expectGoodLooks(page, `parts-select-${label.toLowerCase()}`, everyLook);
    },
  );

  itAtFullSize('an open select without matches is accessible and fits in a dialog', async () => {
    await button('Select in a dialog').click();
    await field('Dialog model').click();
    await page.getByRole('listbox').waitFor({ state: 'attached' });
    await expectGoodLooks(page, 'parts-select-dialog', everyLook);
    await page.keyboard.type('llama');
    await page.getByRole('status').getByText('No results for “llama”').waitFor();
    expect(await findSeriousFaults(page)).toEqual([]);
    await expectGoodLooks(page, 'parts-select-nothing', everyLook);
  });
});
