import type { Locator, Page } from 'playwright-core';

/** The field by its label, of a page or a part of it. */
export const selectField = (within: Page | Locator, label: string): Locator =>
  within.getByRole('combobox', { name: label, exact: true });

/** The options of the select that is open. */
export const optionsOf = (page: Page): Locator => page.getByRole('listbox').getByRole('option');

/** Chooses an option of a select by its words, as a visitor does. */
export async function chooseOption(
  within: Page | Locator,
  label: string,
  option: string | RegExp,
): Promise<void> {
  const field = selectField(within, label);
  await field.click();
  await field.page().getByRole('listbox').getByRole('option', { name: option, exact: true }).click();
}

/** What a select offers, closed again: labels with their notes. */
export async function readOptions(within: Page | Locator, label: string): Promise<string[]> {
  const field = selectField(within, label);
  await field.click();
  const options = optionsOf(field.page());
  await options.first().waitFor();
  const texts = await options.allInnerTexts();
  await field.press('Escape');
  return texts.map((text) => text.replaceAll('\n', ' '));
}
