import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isFullSize, itAtFullSize, sample } from '../server/test/load/sample.ts';
import { fakeAnalytics, openAnalytics, panel } from './analytics-page.ts';
import { page, shareConsole, visitConsole } from './console.ts';
import { findSeriousFaults, type Look, looksAt, sampleLooks, saveScreenshot, twoLooks } from './looks.ts';

shareConsole();

async function takeLook({ width, colorScheme }: Look, height = 820): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}

/** Switches of each chart and their options. */
const widgets: readonly [heading: string, switches: readonly (readonly string[])[]][] = [
  ['Token Usage Over Time', [['Line', 'Bar']]],
  ['Unique Users Over Time', [['Line', 'Bar']]],
  ['Intent Classification Distribution', [['Pie', 'Donut', 'Bar']]],
  ['Top Models Used', [['Bar', 'Pie', 'Donut']]],
  [
    'Top API Keys Usage',
    [
      ['Requests', 'Tokens'],
      ['Vertical', 'Horizontal'],
    ],
  ],
  [
    'Spend by Provider',
    [
      ['Breakdown', 'By Provider'],
      ['Line', 'Bar', 'Stacked'],
    ],
  ],
  [
    'Top Users by Usage',
    [
      ['Requests', 'Tokens'],
      ['Bar', 'Pie', 'Donut'],
    ],
  ],
  ['Deviation Over Time', [['By User', 'By Team']]],
  ['Refused Requests by Reason', [['By Reason', 'By Day']]],
];

const settingsOf = (switches: readonly (readonly string[])[]): string[][] =>
  switches.reduce<string[][]>(
    (settings, choices) => settings.flatMap((before) => choices.map((choice) => [...before, choice])),
    [[]],
  );

describe('the analytics dashboard', () => {
  visitConsole({ viewport: { width: 1440, height: 820 }, reducedMotion: 'reduce' });

  it.each([
    ['full', false, looksAt([1440, 390, 1280, 1920])],
    ['empty', true, looksAt([390, 1440])],
  ] as const)(
    'the analytics dashboard is accessible and fits in every look: %s',
    async (name, isEmpty, looks) => {
      await fakeAnalytics(page, isEmpty);
      await openAnalytics(page);
      for (const look of sampleLooks(looks, Number(isEmpty))) {
        const title = `${name} at ${look.width} px, ${look.colorScheme}`;
        await takeLook(look, look.width === 390 ? 4_400 : 2_100);
        await saveScreenshot(page, `analytics-${name}-${look.width}-${look.colorScheme}`);
        expect(await findSeriousFaults(page), title).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth'), title).toBeLessThanOrEqual(
          look.width,
        );
      }
    },
  );

  itAtFullSize(
    'every chart of the analytics dashboard accepts each setting of its switches, and the page is accessible afterwards',
    async () => {
      await fakeAnalytics(page);
      await openAnalytics(page);
      for (const [heading, switches] of sample(widgets, 3)) {
        const widget = panel(page, heading);
        for (const setting of settingsOf(switches)) {
          for (const choice of setting) await widget.getByText(choice, { exact: true }).click();
          await saveLooks(widget, ['analytics', heading, ...setting].join('-'));
        }
      }
      expect(await findSeriousFaults(page)).toEqual([]);
    },
  );
});

/** Screenshots need a run at full size. The page remains in the first look. */
async function saveLooks(widget: Locator, name: string): Promise<void> {
  if (!isFullSize) return;
  for (const look of [...twoLooks].reverse()) {
    await takeLook(look);
    await widget.scrollIntoViewIfNeeded();
    const file = name.toLowerCase().replaceAll(' ', '-');
    await saveScreenshot(widget, `${file}-${look.width}-${look.colorScheme}`);
  }
}
