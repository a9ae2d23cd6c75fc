import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { isFullSize, itSampled, sample } from '../server/test/load/sample.ts';
import { page, visitConsole } from './console.ts';

const height = 820;

export interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
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

export const looksAt = (widths: readonly number[]): Look[] =>
  widths.flatMap((width) => [
    { width, colorScheme: 'light' },
    { width, colorScheme: 'dark' },
  ]);

/**
 * Returns one look in `npm test`, all looks in `npm run proofs journeys`. States use different turns, so that some
 * state covers each look.
 */
export const sampleLooks = (looks: readonly Look[], turn: number): readonly Look[] =>
  sample(looks, looks.length, turn);

/** Every run must check a state in the same look. */
const turnOf = (name: string) => [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);

/** Saved only at full size, because a screenshot takes a third of the time of a look. */
export async function saveScreenshot(shown: Page | Locator, name: string, fullPage = false): Promise<void> {
  const path = join(import.meta.dirname, 'screenshots', `${name}.png`);
  if (isFullSize) await shown.screenshot({ path, ...(fullPage && { fullPage }) });
}

/** Runs in the browser: finishes transitions, whose intermediate colors belong to neither scheme. */
const endTransitions =
  'document.getAnimations().forEach((one) => one instanceof CSSTransition && one.finish())';

/**
 * Runs in the browser: lists the parts of dialogs that scroll sideways, except code, tables and tabs. The width of the
 * page does not show them.
 */
const findWideDialogParts = `[...document.querySelectorAll('[role=dialog], [role=dialog] *')]
  .filter((part) => part.scrollWidth > part.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(part).overflowX))
  .filter((part) => !part.matches('pre, textarea, input, [role=tablist], [role=tabpanel]') && !part.querySelector('table'))
  .map((part) => part.tagName + '.' + part.className + ' ' + part.scrollWidth + ' > ' + part.clientWidth)`;

/** Checks accessibility and horizontal overflow in each look, and then restores the window size. */
export async function expectGoodLooks(
  page: Page,
  name: string,
  looks: readonly Look[],
  turn = turnOf(name),
): Promise<void> {
  await page.evaluate('document.fonts.ready');
  const previousSize = page.viewportSize();
  const checkedWidths = new Set<number>();
  for (const { width, colorScheme } of sampleLooks(looks, turn)) {
    const look = `${name} at ${width} px, ${colorScheme}`;
    await page.setViewportSize({ width, height });
    // Reduced motion prevents messages from fading out, which would fail the contrast check.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    await page.evaluate(endTransitions);
    await saveScreenshot(page, `${name}-${width}-${colorScheme}`);
    // The second scheme of a width differs only in its colors.
    const rules = checkedWidths.has(width) ? { rules: ['color-contrast'] } : {};
    checkedWidths.add(width);
    expect(await findSeriousFaults(page, rules), look).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth'), look).toBeLessThanOrEqual(width);
    expect(await page.evaluate(findWideDialogParts), look).toEqual([]);
  }
  if (previousSize) await page.setViewportSize(previousSize);
}

/** A state is checked in every look or in two looks that differ in width and scheme. */
export interface State {
  name: string;
  isInEveryLook?: boolean;
  show: (page: Page) => Promise<void>;
}

/** `npm test` runs every fifth test. Screenshots are named after the page. */
export function describeLooks(
  title: string,
  name: string,
  states: readonly State[],
  looks = everyLook,
): void {
  describe(title, () => {
    visitConsole({ viewport: { width: 1440, height }, reducedMotion: 'reduce' });

    itSampled(5).each(states)(
      `${title} is accessible, fits, and triggers no browser violation: $name`,
      async (state) => {
        await state.show(page);
        const looksOfState = state.isInEveryLook ? looks : twoLooks;
        await expectGoodLooks(page, `${name}-${state.name}`, looksOfState, states.indexOf(state));
      },
    );
  });
}

/** Runs in the browser: finds the rules whose violations are less than serious. */
const findLesserRules =
  'axe._audit.rules.filter(({ impact }) => /^m(oderate|inor)$/.test(impact)).map(({ id }) => id)';

/** Determined on the first page that loads axe. */
let lesserRules: string[] = [];

export async function findSeriousFaults(
  page: Page,
  { within = 'html', rules }: { within?: string; rules?: string[] } = {},
): Promise<string[]> {
  // Loading axe once per page and requesting only violations makes the check five times faster.
  const isThere = await page.evaluate<boolean>('"axe" in window');
  const { violations } = await new AxeBuilder({ page, ...(isThere && { axeSource: ';' }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) })
    .disableRules(lesserRules)
    .include(within)
    .analyze();
  if (lesserRules.length === 0) lesserRules = await page.evaluate<string[]>(findLesserRules);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join(', ')})`,
    );
}
