import OpenAI from 'openai';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type RunningSluice, startSluice } from './running-sluice.ts';
import { holding, signIn, type Visit, visit } from './visit.ts';

const refreshLimitMs = 20_000;

let sluice: RunningSluice;
let browser: Browser;
let token: string;
let current: Visit;

beforeAll(async () => {
  [sluice, browser] = await Promise.all([startSluice(), launchBrowser()]);
  token = await signIn(sluice);
});

afterAll(async () => {
  await browser?.close();
  await sluice?.stop();
});

beforeEach(async () => {
  current = await visit(browser, sluice, holding(token, sluice));
});

afterEach(async () => {
  expect(current.problems).toEqual([]);
  await current.end();
});

/** Streams a completion through the gate as any OpenAI client does, and answers its text. */
async function ask(prompt: string): Promise<string> {
  const client = new OpenAI({ baseURL: `${sluice.url}/api/v1`, apiKey: sluice.apiKey });
  const stream = await client.chat.completions.create({
    model: 'sandbox-normal',
    messages: [{ role: 'user', content: prompt }],
    stream: true,
  });
  let text = '';
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  return text;
}

describe('the request log', () => {
  it('shows a request that went through the gate, and opens to the whole of it', async () => {
    const prompt = `Name the lock gates of the canal, from the sea to the hills, and say who built each. ${'Please. '.repeat(300)}`;
    const answer = await ask(prompt);
    expect(answer).not.toBe('');

    const { page } = current;
    await page.goto('/admin/logs');
    const row = page.getByRole('row').filter({ hasText: `${prompt.slice(0, 50)}…` });
    await row.waitFor({ timeout: refreshLimitMs });
    expect(await row.innerText()).toContain('sandbox-normal');
    expect(await row.innerText()).toContain('Success');

    await row.getByRole('button', { name: 'Details' }).click();
    const detail = page.getByRole('region', { name: /^Request / });
    await detail.getByRole('region', { name: 'Prompt' }).filter({ hasText: prompt.trim() }).waitFor();
    await detail.getByRole('region', { name: 'Response' }).filter({ hasText: answer.trim() }).waitFor();
    await detail.getByText('No Task').waitFor();
  });

  it('shows a new request by itself', async () => {
    const { page } = current;
    await page.goto('/admin/logs');
    await page.getByRole('table', { name: 'Requests' }).and(page.locator('[aria-busy="false"]')).waitFor();
    await ask('Does the log follow?');
    await page.getByRole('cell', { name: 'Does the log follow?' }).waitFor({ timeout: refreshLimitMs });
  });

  it('ticks the first steps once a request came through', async () => {
    await ask('A first request');
    const { page } = current;
    await page.goto('/admin');
    await page
      .getByRole('heading', { name: /Send a request through the gate.*done/ })
      .waitFor({ timeout: refreshLimitMs });
  });
});
