import { shareConsole } from './console.ts';
import { describeLooks } from './looks.ts';
import { chooseOption } from './select-field.ts';

shareConsole();

describeLooks('the settings', 'settings', [
  {
    name: 'saved',
    isInEveryLook: true,
    show: async (page) => {
      await page.goto('/admin/settings');
      await page.getByText(/^No log row is older/).waitFor();
      await page.getByRole('heading', { name: 'Prompts and answers' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'changed',
    isInEveryLook: true,
    show: async (page) => {
      await page.goto('/admin/settings');
      await chooseOption(page, 'Stored content', 'Without secrets and personal data');
      await page.getByRole('textbox', { name: 'Log rows' }).fill('30');
      await page.getByRole('textbox', { name: 'Longest answer' }).fill('4000');
      await page.getByText('Prompts and answers cannot be kept longer than their log rows').waitFor();
      await page.getByRole('heading', { name: 'Markup' }).scrollIntoViewIfNeeded();
    },
  },
]);
