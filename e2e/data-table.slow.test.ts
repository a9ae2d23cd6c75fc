import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { launchBrowser } from './browser.ts';
import { serveListPage } from './data-table-page.ts';
import { findSeriousFaults, looksAt, sampleLooks } from './looks.ts';

const lockCount = 100_000;

interface Seen {
  frames: number;
  mostRows: number;
  emptyFrames: number;
  wrongRows: string[];
}

let site: Awaited<ReturnType<typeof serveListPage>>;
let browser: Browser;
let page: Page;
let problems: string[];

beforeAll(async () => {
  [site, browser] = await Promise.all([serveListPage(), launchBrowser()]);
});

afterAll(async () => {
  await site?.stop();
});

beforeEach(async () => {
  const context = await browser.newContext({ baseURL: site.url, viewport: { width: 1200, height: 800 } });
  page = await context.newPage();
  problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (entry) => entry.type() === 'error' && problems.push(entry.text()));
});

afterEach(async () => {
  expect(problems).toEqual([]);
  await page.context().close();
});

const rowOf = (name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) });
const firstCell = () => page.locator('tr[data-row] td:nth-child(3)').first().innerText();
const focusedRow = () => page.locator('tr[data-row]:focus').getAttribute('data-row');
/** Scrolls down in every frame for `durationMs` and returns what was rendered. */
const scrollThrough = (durationMs: number) => page.evaluate<Seen>(`scrollThrough(${durationMs})`);
const open = async (address = '/') => {
  await page.goto(address);
  await page.locator('tr[data-row]').first().waitFor();
};

describe('a list of 100,000 rows', () => {
  it('a list of 100,000 rows renders at most 60 rows, and always the right ones, while it scrolls', async () => {
    await open();
    const table = page.getByRole('table', { name: 'Locks' });
    expect(await table.getAttribute('aria-rowcount')).toBe(String(lockCount + 1));

    const seen = await scrollThrough(2000);
    expect(seen.mostRows).toBeGreaterThan(10);
    expect(seen.mostRows).toBeLessThanOrEqual(60);
    expect(seen.wrongRows).toEqual([]);
    expect(seen.emptyFrames).toBe(0);
  });

  itAtFullSize(
    'a list of 100,000 rows can be navigated to its end by keyboard, and the row keeps the focus',
    async () => {
      await open();
      await rowOf('Lock 1').focus();
      await page.keyboard.press('End');
      await expect.poll(focusedRow).toBe(String(lockCount));
      await page.mouse.wheel(0, -20_000);
      await rowOf(`Lock ${lockCount - 5}`).waitFor({ state: 'detached' });
      await expect.poll(focusedRow).toBe(String(lockCount));
      await page.keyboard.press('k');
      await expect.poll(focusedRow).toBe(String(lockCount - 1));
      await page.keyboard.press('Home');
      await expect.poll(focusedRow).toBe('1');
    },
  );

  itAtFullSize(
    'a list of 100,000 rows keeps details open while it scrolls, and shows the right rows after they close',
    async () => {
      await open();
      const row = rowOf('Lock 5');
      await row.getByRole('button', { name: 'Details' }).click();
      await page.getByText('About Lock 5', { exact: true }).waitFor();
      await page.mouse.wheel(0, 30_000);
      await rowOf('Lock 6').waitFor({ state: 'detached' });
      await page.mouse.wheel(0, -30_000);
      await rowOf('Lock 6').waitFor();
      await page.getByText('About Lock 5', { exact: true }).waitFor();
      await row.getByRole('button', { name: 'Details' }).click();
      await page.getByText('About Lock 5', { exact: true }).waitFor({ state: 'detached' });
      const seen = await scrollThrough(500);
      expect(seen.wrongRows).toEqual([]);
    },
  );
});

describe('the URL of a list', () => {
  it('the list URL contains filter, order, columns and open row, and back and forward undo and redo each change', async () => {
    await open('/?size=1');
    await page.getByRole('searchbox', { name: 'Search locks' }).fill('Lock 9999');
    await page.waitForURL(/filter=Lock/);
    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    await page.waitForURL(/sort=lock/);
    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    await page.waitForURL(/sort=-lock/);
    await expect.poll(firstCell).toBe('Lock 99999');
    await page.locator('th[aria-sort="descending"]', { hasText: 'Lock' }).waitFor();
    await rowOf('Lock 9999').click();
    await page.waitForURL(/open=9999/);

    await page.goBack();
    await page.getByRole('dialog', { name: 'Lock' }).waitFor({ state: 'detached' });
    await page.goBack();
    await page.waitForURL(/sort=lock/);
    await expect.poll(firstCell).toBe('Lock 9999');
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has('sort'));
    await page.goForward();
    await page.goForward();
    await page.goForward();
    await page.getByRole('dialog', { name: 'Lock' }).getByRole('heading', { name: 'Lock 9999' }).waitFor();
    await page.reload();
    await page.getByRole('dialog', { name: 'Lock' }).getByRole('heading', { name: 'Lock 9999' }).waitFor();
    await expect.poll(firstCell).toBe('Lock 99999');
  });

  itAtFullSize('the list URL drops invalid values and omits defaults', async () => {
    await open('/?sort=nothing&page=1&size=3&density=tiny&hide=nothing&open=');
    await expect.poll(firstCell).toBe('Lock 1');
    await page.goto('/?density=tiny&page=one');
    await page.waitForURL((url) => url.search === '');
  });

  itAtFullSize('the list URL sets the row height', async () => {
    for (const [density, height] of [
      ['compact', 28],
      ['regular', 36],
      ['comfortable', 44],
    ]) {
      await open(`/?density=${density}`);
      expect((await rowOf('Lock 2').boundingBox())?.height).toBe(height);
    }
  });
});

describe('the columns', () => {
  itAtFullSize(
    'list columns are shown, hidden and moved by buttons and keys, and are stored in the URL',
    async () => {
      await open();
      await page.getByRole('button', { name: 'Columns' }).click();
      const chooser = page.getByRole('dialog', { name: 'Columns' });
      await chooser.getByRole('checkbox', { name: 'Note' }).uncheck();
      await chooser.getByRole('checkbox', { name: 'Number' }).check();
      await chooser.getByRole('button', { name: 'Move Depth up' }).click();
      expect(await chooser.getByRole('checkbox', { name: 'Lock' }).isDisabled()).toBe(true);
      await chooser.getByRole('checkbox', { name: 'Number' }).focus();
      await page.keyboard.press('Alt+ArrowUp');
      await page.waitForURL(/order=lock\.depth\.keeper\.number\.note/);
      const headings = async () => (await page.getByRole('columnheader').allInnerTexts()).filter(Boolean);
      await expect.poll(headings).toEqual(['Details', 'Lock', 'Depth', 'Keeper', 'Number', 'Actions']);
      await page.reload();
      await page.getByRole('table', { name: 'Locks' }).waitFor();
      await expect.poll(headings).toEqual(['Details', 'Lock', 'Depth', 'Keeper', 'Number', 'Actions']);
    },
  );
});

describe('a list that scrolls sideways', () => {
  beforeEach(async () => {
    await page.setViewportSize({ width: 1000, height: 500 });
    await open('/gates');
    const table = page.getByRole('table', { name: 'Gates' });
    await table.evaluate(({ parentElement }) => parentElement?.scrollTo({ left: 400, behavior: 'instant' }));
  });

  const boxOf = async (role: 'columnheader' | 'cell', name: string) => {
    const box = await page.getByRole(role, { name, exact: true }).boundingBox();
    if (box === null) throw new Error(`There is no ${role} ${name}`);
    return box;
  };
  const topOf = async (name: string) => Math.round((await boxOf('columnheader', name)).y);
  const textAt = (x: number, y: number) =>
    page.evaluate<string>(`document.elementFromPoint(${x}, ${y})?.closest('th, td')?.textContent ?? ''`);

  itAtFullSize(
    'the header of a list that scrolls sideways stays below the page header, above its columns',
    async () => {
      const headerHeightPx = 48;
      await page.evaluate('scrollTo(0, 450)');
      await expect.poll(() => topOf('Keeper')).toBe(headerHeightPx);
      for (const name of ['Lock', 'South']) {
        const header = await boxOf('columnheader', name);
        const cell = await boxOf('cell', name === 'Lock' ? 'Lock 20' : `${name} 20`);
        expect([header.x, header.width]).toEqual([cell.x, cell.width]);
        expect(await textAt(header.x + 20, header.y + header.height / 2)).toBe(name);
      }

      await page.getByRole('button', { name: 'Lock', exact: true }).click();
      await page.waitForURL(/sort=lock/);
      await page.evaluate('scrollTo(0, 0)');
      await expect.poll(() => topOf('Keeper')).toBeGreaterThan(headerHeightPx);
    },
  );

  itAtFullSize('the header of a list that scrolls sideways scrolls away with its last row', async () => {
    await page.setViewportSize({ width: 1000, height: 160 });
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    const bottom = async () => {
      const header = await boxOf('columnheader', 'South');
      return header.y + header.height;
    };
    await expect.poll(async () => (await bottom()) <= (await boxOf('cell', 'South 25')).y).toBe(true);
    const sides = page.getByRole('table', { name: 'Gates' });
    expect(await sides.evaluate(({ parentElement }) => parentElement?.scrollTop)).toBe(0);
  });
});

describe('the keyboard', () => {
  it('keyboard shortcuts move through the list, open and close details, and never capture typed text', async () => {
    await open();
    await page.keyboard.press('j');
    await expect.poll(focusedRow).toBe('1');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focusedRow).toBe('3');
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Lock' });
    await drawer.getByRole('heading', { name: 'Lock 3' }).waitFor();
    await page.keyboard.press('j');
    await drawer.getByRole('heading', { name: 'Lock 4' }).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(focusedRow).toBe('4');

    await page.keyboard.press('ArrowRight');
    await page.getByText('About Lock 4', { exact: true }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('About Lock 4', { exact: true }).waitFor({ state: 'detached' });

    const search = page.getByRole('searchbox', { name: 'Search locks' });
    await search.focus();
    await page.keyboard.type('jkx');
    expect(await search.inputValue()).toBe('jkx');
  });

  itAtFullSize('Tab stops in a list only at the active row and its controls', async () => {
    await open();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const names: (string | null)[] = [];
    for (let stop = 0; stop < 4; stop++) {
      await page.keyboard.press('Tab');
      names.push(await page.locator(':focus').getAttribute('aria-label'));
    }
    expect(names).toEqual(['Details', 'Select Lock 2', 'Fill: Lock 2', 'More actions: Lock 2']);
  });

  itAtFullSize('the keyboard sorts a list by a column heading', async () => {
    await open();
    await page.getByRole('button', { name: 'Depth' }).press('Enter');
    await page.waitForURL(/sort=-depth/);
    await page.getByRole('button', { name: 'Depth' }).press('Enter');
    await page.waitForURL(/sort=depth/);
    await rowOf('Lock 1').waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
  });

  itAtFullSize('single-letter shortcuts of a list can be switched off', async () => {
    await page.addInitScript(() => localStorage.setItem('sluice-single-keys', 'off'));
    await open();
    await page.keyboard.press('j');
    expect(await page.locator('tr[data-row]:focus').count()).toBe(0);
  });
});

describe('the selection', () => {
  it('a list selection extends by Shift, by keys and to all matches, and shows the rows for which an action failed', async () => {
    await open('/?filter=Lock%20999');
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await rowOf('Lock 9990').getByRole('checkbox').click();
    await rowOf('Lock 9993')
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await bar.getByText('4 selected').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await bar.getByText('5 selected').waitFor();
    await bar.getByRole('button', { name: 'Drain' }).click();
    await bar.getByText('2 failed and stay selected').waitFor();
    expect(await bar.getByRole('listitem').allInnerTexts()).toEqual([
      'Lock 9990: The lock is in use',
      'Lock 9993: The lock is in use',
    ]);
    await bar.getByText('2 selected').waitFor();

    await page.getByRole('checkbox', { name: 'Select all rows' }).check();
    await bar.getByText('111 selected').waitFor();
    await bar.getByRole('button', { name: 'Clear selection' }).click();
    await bar.getByRole('button', { name: 'Dismiss' }).click();
    await bar.waitFor({ state: 'detached' });
  });
});

describe('actions of a row', () => {
  itAtFullSize('row actions are icons in the row and names in its menu', async () => {
    await open();
    await page.getByRole('button', { name: 'Fill: Lock 2', exact: true }).click();
    await page.getByText('filled Lock 2').waitFor();
    await page.getByRole('button', { name: 'More actions: Lock 3', exact: true }).click();
    await page.getByRole('menu').waitFor();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Fill', 'Demolish']);
    await page.getByRole('menuitem', { name: 'Demolish' }).click();
    await page.getByText('demolished Lock 3').waitFor();
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'More actions: Lock 4', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Fill' }).press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.locator('[aria-label="More actions: Lock 4"]:focus').waitFor();
    expect(page.url()).not.toContain('open=');
  });

  it('the button of a row menu keeps the focus while the code of the menu loads', async () => {
    await open();
    const gate = Promise.withResolvers<void>();
    await page.route(/row-menu-list/, async (route) => {
      await gate.promise;
      await route.fallback();
    });
    const button = page.getByRole('button', { name: 'More actions: Lock 3', exact: true });
    const focused = page.locator('[aria-label="More actions: Lock 3"]:focus');
    await button.press('Enter');
    await page.locator('[aria-label="More actions: Lock 3"][aria-expanded="true"]').waitFor();
    expect(await focused.count()).toBe(1);
    gate.resolve();
    await page.getByRole('menuitem', { name: 'Fill' }).press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await focused.waitFor();
  });

  itAtFullSize('a row menu stays open when rows are added above its row', async () => {
    await open('/?filter=Lock%2010000');
    await page.getByRole('button', { name: 'More actions: Lock 10000', exact: true }).click();
    const item = page.getByRole('menuitem', { name: 'Demolish' });
    await item.waitFor();
    await page.getByRole('button', { name: 'Add 12' }).dispatchEvent('click');
    await rowOf('Lock 100001').waitFor();
    await item.click();
    await page.getByText('demolished Lock 10000', { exact: true }).waitFor();
  });
});

describe('the export', () => {
  itAtFullSize(
    'the list export contains the filtered and sorted rows with the visible columns, and no formula',
    async () => {
      await open('/?filter=Lock%2099999&sort=-lock&hide=depth&show=number');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^sluice-locks-\d{4}-\d\d-\d\d\.csv$/);
      await page.getByRole('button', { name: 'Exported 1 row' }).waitFor();
      expect(await readFile(await download.path(), 'utf8')).toBe(
        '\u{feff}Lock,Keeper,Note,Number\r\nLock 99999,Samir Haddad,"Gate ""99999"", open",99999\r\n',
      );
    },
  );
});

describe('new rows', () => {
  it('new rows wait behind a bar while the user reads, and otherwise appear automatically', async () => {
    await open();
    const addNew = page.getByRole('button', { name: 'Add 12' });
    await addNew.click();
    await rowOf('Lock 100001').waitFor();

    await rowOf('Lock 100002').click();
    await page.waitForURL(/open=100002/);
    await addNew.click();
    await page.getByRole('button', { name: '12 new' }).waitFor();
    await expect.poll(firstCell).toBe('Lock 100001');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Lock' }).waitFor({ state: 'detached' });
    await expect.poll(firstCell).toBe('Lock 100001');
    await page.getByRole('button', { name: '12 new' }).click();
    await rowOf('Lock 100013').waitFor();
  });
});

describe('cursor pagination', () => {
  itAtFullSize('cursor pagination moves forward by cursor, and back by browser history', async () => {
    await page.goto('/gates');
    await rowOf('Lock 1').waitFor();
    const next = page.getByRole('button', { name: 'Next page' });
    await next.click();
    await rowOf('Lock 26').waitFor();
    await next.click();
    await page.waitForURL(/cursor=50/);
    await page.goBack();
    await rowOf('Lock 26').waitFor();
    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    await rowOf('Lock 1').waitFor();
    await page.goto('/gates?cursor=75');
    await rowOf('Lock 100').waitFor();
    expect(await next.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'First page' }).click();
    await page.waitForURL((url) => !url.searchParams.has('cursor'));
  });
});

describe('the drawer', () => {
  itAtFullSize('the drawer is resized by its edge, its button and by keys, and keeps its width', async () => {
    await open('/?open=2');
    const drawer = page.getByRole('dialog', { name: 'Lock' });
    const width = async () => Math.round((await drawer.boundingBox())?.width ?? 0);
    await expect.poll(width).toBe(520);
    await drawer.getByRole('separator').press('ArrowLeft');
    await expect.poll(width).toBe(536);
    await drawer.getByRole('button', { name: 'Change width' }).click();
    await expect.poll(width).toBe(720);
    const edge = (await drawer.getByRole('separator').boundingBox())!;
    await page.mouse.move(edge.x + 4, edge.y + 200);
    await page.mouse.down();
    await page.mouse.move(600, 300);
    await page.mouse.up();
    await expect.poll(width).toBe(600);
    await page.reload();
    await drawer.waitFor();
    await expect.poll(width).toBe(600);
  });
});

it('the list is accessible in every look', async () => {
  const expectNoFaults = async (turn: number) => {
    for (const { width, colorScheme } of sampleLooks(looksAt([1440, 1024, 390]), turn)) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      expect(await findSeriousFaults(page), `${width} px, ${colorScheme}`).toEqual([]);
    }
  };
  await open('/?filter=Lock%2099');
  await rowOf('Lock 99').getByRole('checkbox').click();
  await rowOf('Lock 99').getByRole('button', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog', { name: 'Columns' }).waitFor();
  await expectNoFaults(0);
  await page.keyboard.press('Escape');
  await rowOf('Lock 990').getByRole('button', { name: 'More actions: Lock 990' }).click();
  await page.getByRole('menu').waitFor();
  await expectNoFaults(5);
});
