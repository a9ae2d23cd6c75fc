import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { itSampled } from '../server/test/load/sample.ts';
import { page, shareConsole, token, visitAs } from './console.ts';
import { everyLook, expectGoodLooks } from './looks.ts';

shareConsole();

const viewport = { width: 1440, height: 820 };

const states: { name: string; path: string; show: (page: Page) => Promise<unknown> }[] = [
  { name: 'features', path: '/', show: (page) => page.getByText('Keep your clients').waitFor() },
  { name: 'pricing', path: '/?tab=pricing', show: (page) => page.getByText('$299').waitFor() },
  {
    name: 'api',
    path: '/?tab=api',
    show: (page) => page.getByRole('listitem').first().waitFor(),
  },
  { name: 'docs', path: '/?tab=docs', show: (page) => page.getByRole('rowheader').first().waitFor() },
];

describe('the home page', () => {
  itSampled(3).each(states)('the home page is accessible and fits: $name', async ({ name, path, show }) => {
    await visitAs(null, { viewport, reducedMotion: 'reduce' });
    await page.goto(path);
    await show(page);
    await expectGoodLooks(page, `home-${name}`, everyLook);
  });

  it('the home page is accessible and fits while a request is tried', async () => {
    await visitAs(token, { viewport, reducedMotion: 'reduce' });
    await page.goto('/?tab=api');
    await page.getByLabel('Find an endpoint').fill('createChatCompletion');
    // Until the search applies, the list still contains other endpoints.
    await page.locator('summary').filter({ hasText: '/api/v1/chat/completions' }).click();
    await page.getByRole('form').getByRole('button', { name: 'Send' }).click();
    await page.getByText('"chat.completion"').waitFor();
    await page.getByText('Try it').scrollIntoViewIfNeeded();
    await expectGoodLooks(page, 'home-try-it', everyLook);
  });
});
