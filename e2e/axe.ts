import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** The page's accessibility faults that axe calls serious or critical, each with the elements concerned. */
export async function findSeriousFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target.join(' ')).join(', ')})`,
    );
}
