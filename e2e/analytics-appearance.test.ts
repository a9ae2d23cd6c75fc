import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeAnalytics, openAnalytics, panel } from './analytics-page.ts';
import { page, shareConsole, visitConsole } from './console.ts';
import { findSeriousFaults } from './looks.ts';

shareConsole();

const screenshots = join(import.meta.dirname, 'screenshots');
const looks = [390, 1280, 1440, 1920].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

type Look = (typeof looks)[number];

async function takeLook({ width, colorScheme }: Look, height = 820): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}

/** Switches of each widget with their options. */
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

/** Returns all combinations of switch settings. */
const settingsOf = (switches: readonly (readonly string[])[]): string[][] =>
  switches.reduce<string[][]>(
    (settings, choices) => settings.flatMap((before) => choices.map((choice) => [...before, choice])),
    [[]],
  );

describe('the analytics dashboard', () => {
  visitConsole({ viewport: { width: 1440, height: 820 }, reducedMotion: 'reduce' });

  it.each([
    ['full', false],
    ['empty', true],
  ] as const)('the analytics dashboard is accessible and fits in every look: %s', async (name, isEmpty) => {
    await fakeAnalytics(page, isEmpty);
    await openAnalytics(page);
    for (const look of isEmpty ? looks.filter(({ width }) => width < 1_280 || width === 1_440) : looks) {
      const title = `${name} at ${look.width} px, ${look.colorScheme}`;
      await takeLook(look, look.width === 390 ? 4_400 : 2_100);
      await page.screenshot({
        path: join(screenshots, `analytics-${name}-${look.width}-${look.colorScheme}.png`),
      });
      expect(await findSeriousFaults(page), title).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth'), title).toBeLessThanOrEqual(
        look.width,
      );
    }
  });

  it.each(widgets)('analytics screenshots cover every switch of %s', async (heading, switches) => {
    await fakeAnalytics(page);
    await openAnalytics(page);
    const widget = panel(page, heading);
    for (const setting of settingsOf(switches)) {
      for (const choice of setting) await widget.getByText(choice, { exact: true }).click();
      const name = `analytics-${[heading, ...setting].join('-').toLowerCase().replaceAll(' ', '-')}`;
      for (const look of [
        { width: 1440, colorScheme: 'light' },
        { width: 390, colorScheme: 'dark' },
      ] as const) {
        await takeLook(look);
        await widget.scrollIntoViewIfNeeded();
        await widget.screenshot({ path: join(screenshots, `${name}-${look.width}-${look.colorScheme}.png`) });
      }
    }
    expect(await findSeriousFaults(page)).toEqual([]);
  });
});
