import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findSeriousFaults } from './axe.ts';

const height = 820;

interface Look {
  width: number;
  colorScheme: 'light' | 'dark';
}

export const twoLooks: readonly Look[] = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
];

export const everyLook: readonly Look[] = [
  ...twoLooks,
  { width: 1440, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
];

/** Takes a picture of the page in each look; it has no serious fault in any, and nothing stands out sideways. */
export async function expectGoodLooks(page: Page, name: string, looks: readonly Look[]): Promise<void> {
  await page.evaluate('document.fonts.ready');
  for (const { width, colorScheme } of looks) {
    const look = `${name} at ${width} px, ${colorScheme}`;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    const file = `${name}-${width}-${colorScheme}.png`;
    await page.screenshot({ path: join(import.meta.dirname, 'screenshots', file) });
    expect(await findSeriousFaults(page), look).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth'), look).toBeLessThanOrEqual(width);
  }
}
