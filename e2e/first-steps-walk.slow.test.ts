import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  answerCompletion,
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from '../server/test/providers/scripted-provider.ts';
import { launchBrowser } from './browser.ts';
import { listModels } from './llm-providers-page.ts';
import { everyLook, expectGoodLooks } from './looks.ts';
import { type EmptySluice, startEmptySluice } from './running-sluice.ts';
import { chooseOption } from './select-field.ts';

const clicksMax = 8;
const fieldsMax = 4;
const readyMs = 120_000;
const viewport = { width: 1440, height: 900 };

const answerModelsOrCompletion: Script = (response, call) =>
  (call.path.endsWith('/models') ? listModels(['own-model']) : answerCompletion())(response, call);

let sluice: EmptySluice;
let browser: Browser;
let upstream: ScriptedProvider;

beforeAll(async () => {
  const starting = startEmptySluice({ SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1' });
  [sluice, browser, upstream] = await Promise.all([
    starting,
    launchBrowser(),
    startScriptedProvider(answerModelsOrCompletion),
  ]);
}, readyMs);
afterAll(() => Promise.all([sluice?.stop(), upstream?.close()]));

/** Takes a screenshot before each click. */
function startWalk(page: Page) {
  const counts = { clicks: 0, fields: 0 };
  let picturesCount = 0;
  let lookedMs = 0;
  const startedMs = performance.now();
  const look = async () => {
    const lookingMs = performance.now();
    const number = String(++picturesCount).padStart(2, '0');
    await expectGoodLooks(page, `first-steps-walk-${number}`, everyLook);
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: 'light' });
    lookedMs += performance.now() - lookingMs;
  };
  return {
    counts,
    look,
    /** Returns the elapsed time without the time for screenshots. */
    seconds: () => (performance.now() - startedMs - lookedMs) / 1_000,
    async click(target: Locator) {
      await target.waitFor();
      await look();
      counts.clicks++;
      await target.click();
    },
    async fill(field: Locator, text: string) {
      await field.waitFor();
      counts.fields++;
      await field.fill(text);
    },
    async choose(within: Page, label: string, option: string) {
      counts.clicks += 2;
      await chooseOption(within, label, option);
    },
  };
}

async function walk(page: Page) {
  const { counts, look, seconds, click, fill, choose } = startWalk(page);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto(sluice.consoleUrl);
  await fill(page.getByLabel('Email'), sluice.email);
  await fill(page.getByLabel('Password', { exact: true }), sluice.password);
  await click(button('Sign in'));
  await click(
    page.getByRole('region', { name: 'First steps' }).getByRole('link', { name: 'LLM Providers' }).first(),
  );
  await click(button('Self Managed'));
  await choose(page, 'Provider type', 'OpenAI-compatible');
  await fill(page.getByLabel('API key'), 'sk-scripted');
  await fill(page.getByLabel('API endpoint'), `${upstream.origin}/v1`);
  await click(button('Test Connection'));
  await page.getByText('Connection successful', { exact: false }).waitFor();
  await click(button('Add Provider'));
  await click(button('Send it now'));
  await page.getByText('own-model answered', { exact: false }).waitFor();
  const result = { ...counts, seconds: seconds().toFixed(1) };
  await look();
  return result;
}

describe('the setup from an empty data folder to the first response of a connected provider', () => {
  it(`the first setup needs at most ${clicksMax} clicks and ${fieldsMax} fields and ends with a response from the provider`, async () => {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const { clicks, fields, seconds } = await walk(page);
    console.info(
      `${clicks} clicks and ${fields} fields; ${sluice.startSeconds.toFixed(1)} s from the start to the address, ${seconds} s by script from there to the answer`,
    );
    await page.getByText('Hello', { exact: true }).waitFor();
    expect(upstream.calls.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1);
    expect(clicks).toBeLessThanOrEqual(clicksMax);
    expect(fields).toBeLessThanOrEqual(fieldsMax);
    await context.close();
  });
});
