import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** The accessibility faults that axe calls serious or critical, each with its elements, of the page or a part of it. */
export async function findSeriousFaults(page: Page, within = 'html'): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).include(within).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join(', ')})`,
    );
}
