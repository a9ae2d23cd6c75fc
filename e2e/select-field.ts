import type { Locator, Page } from 'playwright-core';

/** The field by its label, of a page or a part of it. */
export const selectField = (within: Page | Locator, label: string): Locator =>
  within.getByRole('combobox', { name: label, exact: true });

/** The options of the select that is open. */
export const optionsOf = (page: Page): Locator => page.getByRole('listbox').getByRole('option');

/** Chooses an option of a select by its words, as a visitor does. */
export async function chooseOption(field: Locator, option: string | RegExp): Promise<void> {
  await field.click();
  await optionsOf(field.page())
    .filter({ hasText: wordsOf(option) })
    .click();
}

/** What a select offers, closed again: labels with their notes. */
export async function readOptions(field: Locator): Promise<string[]> {
  return (await readOpen(field, optionsOf(field.page()))).map((text) => text.replaceAll('\n', ' '));
}

/** What a select shows and does not let anybody choose. */
export function readDisabledOptions(field: Locator): Promise<string[]> {
  return readOpen(field, optionsOf(field.page()).and(field.page().locator('[aria-disabled="true"]')));
}

async function readOpen(field: Locator, options: Locator): Promise<string[]> {
  await field.click();
  await optionsOf(field.page()).first().waitFor();
  const texts = await options.allInnerTexts();
  await field.press('Escape');
  return texts;
}

/** The whole label, which a note may follow. */
function wordsOf(option: string | RegExp): RegExp {
  return typeof option === 'string' ? new RegExp(`^${RegExp.escape(option)}$`, 'm') : option;
}
