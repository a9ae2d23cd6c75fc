import type { CDPSession } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, shareConsole, sluice, token, visitAs } from './console.ts';

shareConsole();
beforeEach(() => visitAs(null));

const openTab = async (name: string) => {
  await page.getByRole('tab', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
};

describe('the home page', () => {
  it('the home page has four tabs, each with its own URL', async () => {
    await page.goto('/');
    await page.getByRole('tab').first().waitFor();
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([
      'Features',
      'Pricing',
      'API Reference',
      'Docs',
    ]);
    await page.getByRole('heading', { level: 1, name: 'One gateway for every model' }).waitFor();
    for (const name of ['Pricing', 'API Reference', 'Docs']) {
      await openTab(name);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.reload();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    }
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'API Reference' }).waitFor();
  });

  itAtFullSize(
    'the home page links visitors to the sign-in page, and signed-in users to their start page',
    async () => {
      await page.goto('/');
      await page.getByRole('link', { name: 'Login' }).click();
      await page.waitForURL('**/login');
      await visitAs(token);
      await page.goto('/');
      await page.getByRole('link', { name: 'Dashboard' }).click();
      await page.waitForURL('**/admin');
    },
  );
});

describe('the plans', () => {
  it('the pricing tab shows the three plans with price, yearly saving and limits of users', async () => {
    await page.goto('/?tab=pricing');
    const plans = page.getByRole('listitem').filter({ hasText: 'per month' });
    await plans.first().waitFor();
    const texts = (await plans.allInnerTexts()).map((text) => text.split('\n').filter(Boolean).slice(0, 4));
    expect(texts).toEqual([
      ['Basic', '$29 per month', '$290 per year, saves 17%', '5 users and 1 admin'],
      ['Pro', '$99 per month', '$990 per year, saves 17%', '20 users and 3 admins'],
      ['Enterprise', '$299 per month', '$2,990 per year, saves 17%', '100 users and 10 admins'],
    ]);
  });

  itAtFullSize('plans that cannot be loaded show an error and can be loaded again', async () => {
    await page.route('**/api/v1/billing/plans', (route) => route.abort());
    await page.goto('/?tab=pricing');
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to fetch plans' });
    await failure.waitFor();
    await page.unroute('**/api/v1/billing/plans');
    await failure.getByRole('button', { name: 'Try Again' }).click();
    await page.getByText('$299').waitFor();
  });
});

const operation = (path: string) =>
  page.getByRole('listitem').filter({ has: page.getByText(path, { exact: true }) });

describe('the API reference', () => {
  itAtFullSize('the API reference comes from this server, and can be searched', async () => {
    const { paths } = (await (await fetch(`${sluice.url}/api/v1/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    const count = Object.values(paths).flatMap((methods) => Object.keys(methods)).length;
    await page.goto('/?tab=api');
    await operation('/api/v1/chat/completions').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(count);
    await page.getByLabel('Find an endpoint').fill('billing plans');
    await expect.poll(() => page.getByRole('listitem').count()).toBe(3);
  });

  itAtFullSize(
    'the API reference has a side navigation that leads to a group, and follows the search',
    async () => {
      await page.goto('/?tab=api');
      const contents = page.getByRole('navigation', { name: 'API Reference' });
      await contents.getByRole('link', { name: /^Blacklist/ }).click();
      await expect.poll(() => page.locator(':focus').innerText()).toBe('Blacklist');
      const heading = await page.getByRole('heading', { name: 'Blacklist', exact: true }).boundingBox();
      expect(heading?.y).toBeGreaterThan(0);
      expect(heading?.y).toBeLessThan(200);
      await page.getByLabel('Find an endpoint').fill('billing plans');
      await expect.poll(() => contents.getByRole('link').count()).toBeLessThan(4);
    },
  );

  itAtFullSize(
    'the API reference shows both ways to send a key, and the extra fields of the gateway',
    async () => {
      await page.goto('/?tab=api');
      for (const header of ['X-API-Key: ', 'Authorization: Bearer ']) {
        const snippet = page.locator('pre').filter({ hasText: header });
        const text = await snippet.innerText();
        expect(text).toContain(`${sluice.url}/api/v1/chat/completions`);
        expect(text).toContain('"task_id": YOUR_TASK_ID');
        expect(text).toContain('"format": "minimal"');
      }
    },
  );

  itAtFullSize('the API reference asks visitors to sign in and lets them try public endpoints', async () => {
    await page.goto('/?tab=api');
    await operation('/api/v1/models').first().locator('summary').click();
    await page.getByText('to try it here.').waitFor();
    await page.getByLabel('Find an endpoint').fill('listPlans');
    await operation('/api/v1/billing/plans').locator('summary').click();
    const form = page.getByRole('form', { name: 'Try listPlans' });
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('200').waitFor();
    await form.getByText('"price_monthly": 29,').waitFor();
  });

  itAtFullSize('the API reference sends a real request for a signed-in user', async () => {
    await visitAs(token);
    await page.goto('/?tab=api');
    await operation('/api/v1/chat/completions').locator('summary').click();
    const form = page.getByRole('form', { name: 'Try createChatCompletion' });
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('"chat.completion"').waitFor();
    await form.getByLabel('Body').fill('{');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('The body is not valid JSON').waitFor();
  });
});

describe('the docs', () => {
  it('the docs have a first request for each client and a setup for each assistant, with the URL of this server', async () => {
    await page.goto('/?tab=docs');
    for (const client of ['curl', 'openai', 'anthropic', 'ai (Vercel)', 'langchain']) {
      await page.getByRole('group', { name: 'Client' }).getByText(client, { exact: true }).click();
      await expect.poll(() => page.locator('pre').nth(1).innerText()).toContain(`${sluice.url}/api`);
    }
    for (const assistant of ['Claude Code', 'Codex', 'aider', 'Continue']) {
      await page.getByRole('group', { name: 'Assistant' }).getByText(assistant, { exact: true }).click();
      await expect.poll(() => page.locator('pre').nth(2).innerText()).toContain(`${sluice.url}/api`);
    }
  });

  itAtFullSize('the docs list more than 30 error codes', async () => {
    await page.goto('/?tab=docs');
    await page.getByRole('rowheader', { name: 'insufficient_credits' }).waitFor();
    expect(await page.getByRole('rowheader').count()).toBeGreaterThan(30);
  });
});

const paintMaxMs = 1500;

/** Runs in the browser: returns the time of the largest contentful paint. */
const largestPaint = `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
  .observe({ type: 'largest-contentful-paint', buffered: true }))`;

itAtFullSize(
  'the home page has its largest contentful paint within 1.5 s in the best of 3 loads on a CPU that is four times slower',
  async () => {
    const session: CDPSession = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    try {
      const timesMs: number[] = [];
      for (let round = 0; round < 3; round++) {
        await session.send('Network.clearBrowserCache');
        await page.goto('/');
        await page.getByRole('heading', { level: 1 }).waitFor();
        timesMs.push(Math.round(await page.evaluate<number>(largestPaint)));
      }
      console.log(`largest paint of the home page, processor slowed four times: ${timesMs.join(', ')} ms`);
      expect(Math.min(...timesMs)).toBeLessThan(paintMaxMs);
    } finally {
      await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    }
  },
);

/** Runs in the browser: finds elements beyond the right edge, except elements in a scrollable container. */
const standingOut = `[...document.querySelectorAll('main *, header *, footer *')].filter((one) =>
  one.getBoundingClientRect().right > innerWidth && document.documentElement.scrollWidth > innerWidth &&
  !one.parentElement.closest('pre, [role=tablist], section[tabindex]')).map((one) => one.outerHTML.slice(0, 120))`;

itAtFullSize('the home page needs no horizontal scrolling at 400% zoom', async () => {
  for (const tab of ['', '?tab=pricing', '?tab=api', '?tab=docs']) {
    // Size of a 1,280 px window at 400% zoom.
    await page.setViewportSize({ width: 320, height: 256 });
    await page.goto(`/${tab}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.evaluate(standingOut), tab).toEqual([]);
  }
});
