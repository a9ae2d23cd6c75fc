import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** The accessibility faults that axe calls serious or critical, each with its elements; of all rules, or of some. */
export async function findSeriousFaults(
  page: Page,
  { within = 'html', rules }: { within?: string; rules?: string[] } = {},
): Promise<string[]> {
  // Read by the browser once a page, run there and nowhere else, and asked for faults alone, axe takes a fifth of its time.
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
