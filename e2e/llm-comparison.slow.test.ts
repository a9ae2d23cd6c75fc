import {
  type Comparison,
  createClient,
  llmComparisonRoutes,
  llmProvidersRoutes,
  logsRoutes,
} from '@sluice/contract';
import type { Response } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, spoilPages, startConsole, token, visitConsole } from './console.ts';
import {
  comparisonAddresses,
  describeComparison,
  describeInstance,
  describeResult,
  idOf,
  openComparison,
} from './llm-comparison-page.ts';
import { chooseOption, readOptions } from './select-field.ts';
import { answer, hold } from './users-page.ts';

startConsole();
visitConsole({ viewport: { width: 1440, height: 1000 } });

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const start = () => page.getByRole('button', { name: 'Start Comparison' });
const field = (name: string) => page.getByLabel(name, { exact: true });
const results = () => page.getByRole('region', { name: 'Comparison results' });
const cards = () => results().getByRole('list').getByRole('listitem');
const history = () => page.getByRole('region', { name: 'Comparison history' });
const figures = () => page.getByRole('region', { name: 'Comparison statistics' }).locator('dd');

const clientOf = <Routes extends Parameters<typeof createClient>[0]>(routes: Routes) =>
  createClient(routes, { baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) });

async function chooseModels(...models: string[]) {
  for (const [index, model] of models.entries()) {
    const provider = field(`Provider ${index + 1}`);
    if ((await provider.count()) === 0) await press('Add LLM + Model');
    await chooseOption(page, `Provider ${index + 1}`, 'Sandbox');
    await chooseOption(page, `Model ${index + 1}`, model);
  }
}

describe('the form', () => {
  const instances = [
    describeInstance(1, 'openai', 'OpenAI', { enabled_models: ['gpt-4o', 'gpt-3.5-turbo'] }),
    describeInstance(2, 'anthropic', 'Anthropic', {
      enabled_models: ['claude-a', 'claude-b'],
      default_model: 'claude-b',
    }),
    describeInstance(3, 'google', 'Google', { enabled_models: ['gemini-x'], is_active: false }),
  ];

  itAtFullSize('the comparison form names missing fields, and accepts two to six rows', async () => {
    await page.route(comparisonAddresses.providers, answer(200, instances));
    await openComparison(page);
    await page.getByText('Please enter a prompt', { exact: true }).waitFor();
    expect(await start().isDisabled()).toBe(true);
    expect(await field('Prompt').getAttribute('rows')).toBe('4');
    await field('Prompt').fill('   ');
    expect(await start().isDisabled()).toBe(true);
    await field('Prompt').fill('Hello');
    expect(await start().isEnabled()).toBe(true);

    await press('Remove row 1');
    await page
      .getByText('Please add at least 2 LLM + Model combinations to compare', { exact: true })
      .waitFor();
    expect(await start().isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Remove row 1' }).isDisabled()).toBe(true);

    for (let row = 2; row <= 6; row++) await press('Add LLM + Model');
    expect(await page.getByRole('button', { name: 'Add LLM + Model' }).isDisabled()).toBe(true);
    expect(await field('Provider 6').inputValue()).toBe('Select a provider');
    expect(await start().isDisabled()).toBe(true);
  });

  itAtFullSize(
    'the comparison form selects the default model of a provider, and offers only active providers',
    async () => {
      await page.route(comparisonAddresses.providers, answer(200, instances));
      await openComparison(page);
      await chooseOption(page, 'Provider 1', 'Anthropic');
      expect(await field('Model 1').inputValue()).toBe('claude-b');
      await chooseOption(page, 'Model 1', 'claude-a');
      await chooseOption(page, 'Provider 1', 'OpenAI');
      expect(await field('Model 1').inputValue()).toBe('gpt-3.5-turbo');
      expect(await readOptions(page, 'Provider 1')).toEqual(['Select a provider', 'OpenAI', 'Anthropic']);
    },
  );

  itAtFullSize('the comparison form shows that the providers could not be loaded', async () => {
    await page.route(comparisonAddresses.providers, answer(500, {}));
    await openComparison(page);
    await page.getByText('Failed to load available providers', { exact: false }).waitFor();
  });

  itAtFullSize(
    'the comparison form shows why the comparison could not be started, with the server error or a fallback message',
    async () => {
      await openComparison(page);
      await chooseModels('sandbox-normal', 'sandbox-echo');
      await field('Prompt').fill('Hello');
      await page.route(comparisonAddresses.create, answer(403, { detail: 'Not for you' }));
      await start().click();
      await page.getByText('Not for you').waitFor();
      await page.unroute(comparisonAddresses.create);
      await page.route(comparisonAddresses.create, (route) => route.abort());
      await start().click();
      await page.getByText('Failed to create comparison').waitFor();
      expect(await start().isEnabled()).toBe(true);
    },
  );
});

function withoutFormerOnes(text: string): string {
  const told = JSON.parse(text) as Comparison | Comparison[];
  return JSON.stringify([told].flat().filter(({ prompt }) => prompt === 'Judge this blindly'));
}

describe('a comparison', () => {
  it('a comparison runs, shows each model as it finishes, and stops polling', async () => {
    await openComparison(page);
    const before = Number(await figures().first().innerText());
    await chooseModels('sandbox-slow', 'sandbox-echo', 'sandbox-error-500');
    await field('Prompt').fill('The one question');
    const letGo = await hold(page, comparisonAddresses.create, 'POST');
    await start().click();
    const processing = page.getByRole('button', { name: 'Processing...' });
    await processing.waitFor();
    expect(await processing.isDisabled()).toBe(true);
    letGo();

    await results().getByText('The one question', { exact: true }).first().waitFor();
    await cards().filter({ hasText: 'sandbox-slow' }).getByText('Pending').waitFor();
    expect(await page.getByText('Total cost', { exact: false }).count()).toBe(1);
    let polls = 0;
    page.on('request', (request) => {
      if (/\/compare\/[\w-]{36}$/.test(request.url())) polls++;
    });
    await results().getByText('Total cost').waitFor();
    expect(polls).toBeGreaterThan(0);

    const texts = await cards().allInnerTexts();
    expect(texts[0]).toMatch(/Completed[\s\S]*\$0\.\d{6}|No price/);
    expect(texts[0]).toMatch(/\d+\.\d\ds/);
    expect(texts[1]).toContain('The one question');
    expect(texts[2]).toMatch(/Failed/);
    await history().getByText('Partial', { exact: true }).first().waitFor();
    await expect.poll(async () => Number(await figures().first().innerText())).toBe(before + 1);

    await chooseOption(page, 'Word differences', 'Differences from 1: sandbox-slow');
    await cards().filter({ hasText: 'sandbox-echo' }).locator('ins').first().waitFor();
    expect(await cards().filter({ hasText: 'sandbox-slow' }).locator('ins, del').count()).toBe(0);

    const id = new URL(page.url()).searchParams.get('open') ?? '';
    const comparison = await clientOf(llmComparisonRoutes).getComparison({ params: { id } });
    expect(comparison.status).toBe('partial');
    for (const { request_id } of comparison.results) {
      const log = await clientOf(logsRoutes).getLog({ params: { id: request_id ?? '' } });
      expect(log).toMatchObject({ prompt: 'The one question', user_email: sluice.email });
    }

    const settled = polls;
    await page.reload();
    await results().getByText('Total cost').waitFor();
    await history().getByText('The one question').first().waitFor();
    expect(polls).toBe(settled + 1);

    await press('New Comparison');
    await start().waitFor();
    expect(await field('Prompt').inputValue()).toBe('');
  });

  itAtFullSize('a comparison shows the answers side by side while they are streamed', async () => {
    await openComparison(page);
    await chooseModels('sandbox-slow', 'sandbox-slow');
    await field('Prompt').fill('Tell me slowly');
    await start().click();
    for (const number of [0, 1]) {
      const card = cards().nth(number);
      await card.getByText('Answering...').waitFor({ timeout: 15_000 });
      expect(await card.getByRole('region').innerText()).toMatch(/\w/);
    }
    await results().getByText('Total cost').waitFor({ timeout: 30_000 });
  });

  it('a blind comparison names its models only after the vote, and the vote counts', async () => {
    await openComparison(page);
    await page.getByText('No votes yet', { exact: false }).waitFor();
    await chooseModels('sandbox-normal', 'sandbox-echo');
    await field('Prompt').fill('Judge this blindly');
    await field('Blind vote').check();
    const received: Promise<string>[] = [];
    const onResponse = (response: Response) => {
      if (/\/compare(\/[\w-]{36}|\?|$)/.test(response.url())) received.push(response.text());
    };
    page.on('response', onResponse);
    await start().click();
    const ballot = page.getByRole('region', { name: 'Your vote' });
    await ballot.getByText('Which answer is better?').waitFor();
    await history().getByText('Models are shown once you have voted').first().waitFor();
    page.off('response', onResponse);
    const bodies = await Promise.all(received);
    expect(bodies.length).toBeGreaterThan(1);
    for (const shown of [...bodies.map(withoutFormerOnes), await results().innerText()]) {
      expect(shown).not.toMatch(/sandbox-(normal|echo)|"Sandbox"|\$0\.0/);
    }
    await ballot.getByRole('button', { name: 'B is better' }).click();
    await results().getByText('You voted for B:', { exact: false }).waitFor();
    expect((await cards().locator('code').allInnerTexts()).toSorted()).toEqual([
      'sandbox-echo',
      'sandbox-normal',
    ]);
    await results().getByText('Total cost').waitFor();
    const rates = page.getByRole('region', { name: 'Win rates', exact: true });
    await rates.getByText('Too few votes: 1 of 10').first().waitFor();
    await page.reload();
    await results().getByText('You voted for B:', { exact: false }).waitFor();
  });

  itAtFullSize('a missing comparison shows an error', async () => {
    await openComparison(page, `?open=${idOf(1)}`);
    await page.getByText('Comparison not found').waitFor();
    await press('New Comparison');
    await start().waitFor();
  });
});

describe('polling for results', () => {
  const waiting = { status: 'pending', response_text: null, cost: null, total_tokens: null } as const;
  const pending = describeComparison(1, {
    status: 'pending',
    results: [describeResult(11, 'OpenAI', 'a', waiting), describeResult(12, 'OpenAI', 'b', waiting)],
  });

  async function countPolls(respond: (poll: number) => Parameters<typeof answer>) {
    let polls = 0;
    spoilPages();
    await page.clock.install();
    await page.route(comparisonAddresses.one, (route) => answer(...respond(++polls))(route));
    await openComparison(page, `?open=${idOf(1)}`);
    await expect.poll(() => polls).toBe(1);
    return () => polls;
  }

  itAtFullSize(
    'polling for comparison results repeats every 2 seconds and stops after 5 minutes',
    async () => {
      const polls = await countPolls(() => [200, pending]);
      await page.getByText('Waiting for response...').first().waitFor();
      for (const expected of [2, 3]) {
        await page.clock.runFor(2_100);
        await expect.poll(polls).toBe(expected);
      }
      await page.clock.fastForward(5 * 60_000);
      await page.getByText('This page has stopped waiting for them', { exact: false }).waitFor();
      const asked = polls();
      await page.clock.runFor(30_000);
      expect(polls()).toBe(asked);
      await press('Check again');
      await expect.poll(polls).toBe(asked + 1);
    },
  );

  itAtFullSize(
    'polling for comparison results retries three times after a failure, after 5, 10 and 20 seconds',
    async () => {
      const polls = await countPolls((poll) =>
        poll === 1 ? [200, pending] : [500, { detail: 'The database is unavailable' }],
      );
      await page.getByText('Waiting for response...').first().waitFor();
      await page.clock.runFor(2_100);
      await expect.poll(polls).toBe(2);
      for (const [waitMs, expected] of [
        [5_100, 3],
        [10_100, 4],
        [20_100, 5],
      ] as const) {
        await page.clock.runFor(waitMs - 1_000);
        expect(polls()).toBe(expected - 1);
        await page.clock.runFor(1_000);
        await expect.poll(polls).toBe(expected);
      }
      await page.getByText('The database is unavailable').waitFor();
      await page.clock.runFor(60_000);
      expect(polls()).toBe(5);
    },
  );

  itAtFullSize(
    'polling for comparison results stops when a pending result has an error, and a missing error message has a fallback',
    async () => {
      const broken = describeComparison(1, {
        status: 'pending',
        results: [
          describeResult(11, 'OpenAI', 'a', { ...waiting, error_message: 'It went wrong' }),
          describeResult(12, 'OpenAI', 'b', { ...waiting, status: 'failed', error_message: '' }),
        ],
      });
      const polls = await countPolls(() => [200, broken]);
      await cards().getByText('It went wrong').waitFor();
      await cards().getByText('Request failed', { exact: true }).waitFor();
      await results().getByText('Total cost').waitFor();
      await page.clock.runFor(10_000);
      expect(polls()).toBe(1);
    },
  );
});

describe('the history', () => {
  const many = (count: number, offset = 0) =>
    Array.from({ length: count }, (_, index) =>
      describeComparison(100 + offset + index, { prompt: `Question ${offset + index}` }),
    );
  const items = () => history().getByRole('listitem');

  itAtFullSize(
    'the comparison history loads ten rows per page, and a single page while filtered',
    async () => {
      await page.route(comparisonAddresses.list, (route) => {
        const asked = new URL(route.request().url()).searchParams;
        const offset = asked.has('before') ? 10 : 0;
        return answer(
          200,
          asked.get('limit') === '10' ? many(offset === 0 ? 10 : 3, offset) : many(10),
        )(route);
      });
      await openComparison(page);
      await expect.poll(() => items().count()).toBe(10);
      await press('Load More');
      await expect.poll(() => items().count()).toBe(13);
      expect(await page.getByRole('button', { name: 'Load More' }).count()).toBe(0);
      await page.reload();
      await page.getByRole('button', { name: 'Load More' }).waitFor();
      await page.getByRole('searchbox', { name: 'Search comparisons' }).fill('Question');
      await page.getByRole('button', { name: 'Load More' }).waitFor({ state: 'detached' });
      expect(await items().count()).toBe(10);
    },
  );

  itAtFullSize('the comparison history is filtered by text and status, and has an empty state', async () => {
    const calls = clientOf(llmComparisonRoutes);
    const [sandbox] = await clientOf(llmProvidersRoutes).listLlmProviders();
    const model = { provider_registry_id: sandbox?.provider_registry_id ?? 0, model_name: 'sandbox-echo' };
    const { id } = await calls.createComparison({
      body: { prompt: 'A needle in the hay', provider_models: [model, model] },
    });
    await expect.poll(async () => (await calls.getComparison({ params: { id } })).status).toBe('completed');
    await openComparison(page);
    await page.getByRole('searchbox', { name: 'Search comparisons' }).fill('needle');
    await expect.poll(() => items().count()).toBe(1);
    await page.getByText('Pending', { exact: true }).click();
    await page.getByText('No comparisons found').waitFor();
    await page.getByText('Completed', { exact: true }).first().click();
    await expect.poll(() => items().count()).toBe(1);
    await items().getByText('Just now').waitFor();
    await press('View: A needle in the hay');
    await results().getByText('A needle in the hay').first().waitFor();
    await page.getByText('Everyone', { exact: true }).click();
    await items().getByText('Administrator').waitFor();
  });

  itAtFullSize(
    'the comparison history shows the age in minutes, hours and days, and the date after 7 days',
    async () => {
      const ago = (ms: number) => new Date(Date.now() - ms - 1_000).toISOString();
      const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
      const ages = [0, 5 * minute, 3 * hour, 6 * day, 8 * day].map((ms, index) =>
        describeComparison(200 + index, { created_at: ago(ms) }),
      );
      await page.route(comparisonAddresses.list, answer(200, ages));
      await openComparison(page);
      await expect.poll(() => items().count()).toBe(5);
      const told = await items().locator('time').allInnerTexts();
      expect(told.slice(0, 4)).toEqual(['Just now', '5 minutes ago', '3 hours ago', '6 days ago']);
      expect(told[4]).toMatch(/^\w{3} \d{1,2}(, \d{4})?$/);
    },
  );
});

itAtFullSize(
  'the comparison history updates a running comparison while the form for a new one is open',
  async () => {
    await openComparison(page);
    await chooseModels('sandbox-slow', 'sandbox-echo');
    await field('Prompt').fill('Left alone');
    await start().click();
    await results().getByText('Left alone').first().waitFor();
    await press('New Comparison');
    const item = history().getByRole('listitem').filter({ hasText: 'Left alone' });
    await item.getByText('Completed').waitFor({ timeout: 15_000 });
  },
);

describe('the position of the comparison page', () => {
  itAtFullSize('the comparison page is between Management tokens and Tasks in the sidebar', async () => {
    await openComparison(page);
    const labels = await page.getByRole('navigation').getByRole('link').allInnerTexts();
    const index = labels.indexOf('LLM Comparison');
    expect(labels.slice(index - 1, index + 2)).toEqual(['Management tokens', 'LLM Comparison', 'Tasks']);
  });
});
