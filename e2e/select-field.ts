import type { Locator, Page } from 'playwright-core';

export const selectField = (within: Page | Locator, label: string): Locator =>
  within.getByRole('combobox', { name: label, exact: true });

export const optionsOf = (page: Page): Locator => page.getByRole('listbox').getByRole('option');

export async function chooseOption(
  within: Page | Locator,
  label: string,
  option: string | RegExp,
): Promise<void> {
  const field = selectField(within, label);
  await field.click();
  await field.page().getByRole('listbox').getByRole('option', { name: option, exact: true }).click();
}

/** Returns the labels of the options, including notes, and closes the list. */
export async function readOptions(within: Page | Locator, label: string): Promise<string[]> {
  const field = selectField(within, label);
  await field.click();
  const options = optionsOf(field.page());
  await options.first().waitFor();
  const texts = await options.allInnerTexts();
  await field.press('Escape');
  return texts.map((text) => text.replaceAll('\n', ' '));
}
