import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { itSampled } from '../server/test/load/sample.ts';
import { page, shareConsole, sluice, visitConsole } from './console.ts';
import { expectGoodLooks, looksAt } from './looks.ts';

const phoneWidth = 390;

shareConsole();

interface State {
  name: string;
  path: string;
  enter: (page: Page) => Promise<void>;
  /** If absent, the state applies to all widths. */
  isFor?: (width: number) => boolean;
}

const states: State[] = [
  {
    name: 'account-menu',
    path: '/admin',
    async enter(page) {
      await page.getByRole('button', { name: 'Account menu' }).click();
      await page.getByRole('menuitemradio').first().waitFor();
    },
  },
  {
    name: 'palette-user',
    path: '/admin',
    async enter(page) {
      await openPalette(page, 'admin');
      await page.getByRole('option', { name: sluice.email }).waitFor();
    },
  },
  { name: 'palette-empty', path: '/admin', enter: (page) => openPalette(page, 'zzzz') },
  {
    name: 'shortcuts',
    path: '/admin',
    async enter(page) {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  {
    name: 'navigation-drawer',
    path: '/admin',
    async enter(page) {
      await page.getByRole('button', { name: 'Open navigation' }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'Users' }).waitFor();
    },
    isFor: (width) => width === phoneWidth,
  },
  {
    name: 'settings-refused',
    path: '/admin/settings',
    async enter(page) {
      await nameOf(page).fill(' ');
      await page.getByText('Name is required').waitFor();
    },
  },
  {
    name: 'settings-zones',
    path: '/admin/settings',
    async enter(page) {
      await page.getByRole('combobox', { name: 'Time zone' }).fill('europe/b');
      await page.getByRole('option', { name: 'Europe/Berlin' }).waitFor();
    },
  },
  {
    name: 'settings-leave',
    path: '/admin/settings',
    async enter(page) {
      await nameOf(page).fill('Northwind');
      await page.getByRole('button', { name: 'Account menu' }).click();
      await page.getByRole('menuitem', { name: 'Open the portal' }).click();
      await page.getByRole('dialog', { name: 'Discard changes?' }).waitFor();
    },
  },
  {
    name: 'sidebar-collapsed',
    path: '/admin/users',
    async enter(page) {
      await page.keyboard.press('[');
      await page.getByRole('link', { name: 'System Logs' }).hover();
      await page.getByRole('tooltip').waitFor();
    },
    isFor: (width) => width > phoneWidth,
  },
  {
    name: 'gate-away',
    path: '/admin/logs',
    async enter(page) {
      await page.locator('table[aria-busy="false"]').waitFor();
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByText('You are offline.').waitFor();
    },
  },
];

const nameOf = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true });

async function openPalette(page: Page, text: string) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(text);
}

const widths = [1440, 1024, phoneWidth];

describe.each(widths)('at %i px', (width) => {
  visitConsole({ viewport: { width, height: 820 }, reducedMotion: 'reduce' });

  itSampled(5, widths.indexOf(width)).each(states.filter(({ isFor = () => true }) => isFor(width)))(
    '$name is accessible, fits, and triggers no browser violation',
    async ({ name, path, enter }) => {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await enter(page);
      await expectGoodLooks(page, name, looksAt([width]));
    },
  );
});
