import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { launchBrowser } from './browser.ts';
import { type RunningParts, startParts } from './parts-page.ts';
import { type Visit, visit } from './visit.ts';

let parts: RunningParts;
let browser: Browser;
let current: Visit | undefined;
let page: Page;

beforeAll(async () => {
  [parts, browser] = await Promise.all([startParts(), launchBrowser()]);
});

afterAll(async () => {
  await current?.end();
  await parts?.stop();
});

afterEach(async ({ task }) => {
  const problems = [...(current?.problems ?? [])];
  if (isClockStopped || task.result?.state === 'fail') {
    await current?.end();
    current = undefined;
    isClockStopped = false;
  }
  expect(problems).toEqual([]);
});

async function open(group: string) {
  if (current) await current.renew();
  else current = await visit(browser, parts, { permissions: ['clipboard-read', 'clipboard-write'] });
  page = current.page;
  await page.goto(`/parts?only=${group}`);
  await page.getByRole('heading', { level: 1, name: 'Parts' }).waitFor();
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const focused = (text: string) => page.locator(':focus').filter({ hasText: text });

let isClockStopped = false;
/** A stopped clock cannot be restarted, so the page is not reused. */
async function stopClock() {
  isClockStopped = true;
  await page.clock.install({ time: '2026-11-20T09:00:00Z' });
  await page.clock.pauseAt('2026-11-20T09:01:00Z');
}

describe('a dialog', () => {
  beforeEach(() => open('dialogs'));

  itSampled(2).each([
    ['Open dialog', 'A long dialog'],
    ['Open drawer', 'Aiko Tanaka · gpt-5-mini'],
  ])('the dialog opened by %s traps focus, closes with Escape and restores focus', async (opener, title) => {
    await button(opener).press('Enter');
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.waitFor();
    for (let stops = 0; stops < 6; stops++) {
      await page.keyboard.press('Tab');
      await dialog.locator(':focus').waitFor();
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await focused(opener).waitFor();
  });

  itAtFullSize('a dialog with long content shows its buttons', async () => {
    await button('Open dialog').click();
    const height = page.viewportSize()?.height ?? 0;
    const lowerEdge = async () => {
      const done = await button('Done').boundingBox();
      return (done?.y ?? height) + (done?.height ?? 0);
    };
    await expect.poll(lowerEdge).toBeLessThan(height);
  });

  itAtFullSize('a dialog fills the height of a phone', async () => {
    await page.setViewportSize({ width: 390, height: 780 });
    await button('Confirm an action').click();
    await expect.poll(async () => (await page.getByRole('dialog').boundingBox())?.height).toBe(780);
  });
});

describe('a confirmation', () => {
  beforeEach(() => open('dialogs'));

  const answer = (text: string) => page.getByText(`Answer: ${text}`, { exact: true }).waitFor();

  itAtFullSize('a confirmation is accepted with Enter', async () => {
    await button('Confirm an action').press('Enter');
    await focused('Create key').waitFor();
    await page.keyboard.press('Enter');
    await answer('yes');
    await focused('Confirm an action').waitFor();
  });

  itAtFullSize('a destructive confirmation does not focus its action, and Escape cancels', async () => {
    await button('Confirm a destructive action').press('Enter');
    await focused('Cancel').waitFor();
    await page.keyboard.press('Escape');
    await answer('no');
    await button('Confirm a destructive action').press('Enter');
    await button('Revoke key').click();
    await answer('yes');
  });

  itAtFullSize('a confirmation that requires the name is disabled until the name is typed', async () => {
    await button('Confirm by name').press('Enter');
    const field = page.getByLabel('Type northwind-main to confirm');
    await field.fill('northwind');
    expect(await button('Delete provider').isDisabled()).toBe(true);
    await page.keyboard.press('Enter');
    await field.fill('northwind-main');
    await page.keyboard.press('Enter');
    await answer('yes');
  });
});

describe('toasts', () => {
  const toast = (text: string) => page.getByText(text, { exact: true });

  beforeEach(async () => {
    await open('toasts');
    await page.mouse.move(0, 0);
    await stopClock();
  });

  itSampled(3).each([
    ['Message', 'The export has started', 4000],
    ['Success', 'API key copied to clipboard!', 2000],
    ['Error', 'Failed to update team status', 4000],
  ])(
    'the toast %s is shown for its duration and disappears a second later',
    async (name, text, durationMs) => {
      // Enables motion, because the test needs the one-second fade of a toast.
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await button(name).press('Enter');
      await toast(text).waitFor();
      await page.clock.runFor(durationMs - 100);
      expect(await toast(text).count()).toBe(1);
      await page.clock.runFor(100 + 900);
      expect(await toast(text).count()).toBe(1);
      await page.clock.runFor(200);
      await toast(text).waitFor({ state: 'detached' });
    },
  );

  itAtFullSize('an error toast is an alert, and a success toast is announced politely', async () => {
    await button('Error').press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Failed to update team status' }).waitFor();
    await button('Success').press('Enter');
    await page.locator('[aria-live="polite"]').getByText('API key copied to clipboard!').waitFor();
  });

  itSampled(2).each([
    ['success', 'Connection works'],
    ['error', 'Connection refused'],
  ])('a loading toast remains until its %s is known', async (end, outcome) => {
    await button(`Loading, then ${end}`).press('Enter');
    await toast('Testing connection...').waitFor();
    await page.clock.runFor(2900);
    expect(await toast('Testing connection...').count()).toBe(1);
    await page.clock.runFor(200);
    await toast(outcome).waitFor();
    await page.clock.runFor(1100);
    expect(await toast('Testing connection...').count()).toBe(0);
  });

  itAtFullSize('toasts remain while the pointer is over one, and while one has the focus', async () => {
    await button('Message').press('Enter');
    await toast('The export has started').hover();
    await page.clock.runFor(20_000);
    expect(await toast('The export has started').count()).toBe(1);
    await button('Dismiss').focus();
    await page.mouse.move(0, 0);
    await page.clock.runFor(20_000);
    expect(await toast('The export has started').count()).toBe(1);
    await button('Dismiss').press('Enter');
    await page.clock.runFor(1100);
    await toast('The export has started').waitFor({ state: 'detached' });
  });

  itAtFullSize('toasts show at most 20 at once and queue the others', async () => {
    await button('25 messages').press('Enter');
    await toast('Message 20').waitFor();
    expect(await button('Dismiss').count()).toBe(20);
    await page.clock.runFor(5200);
    await toast('Message 25').waitFor();
  });
});

describe('a secret', () => {
  beforeEach(() => open('secrets'));

  it('a secret is shown in full, can be hidden, copied with an announcement and downloaded, and is removed when stored', async () => {
    await button('Show a secret once').click();
    const dialog = page.getByRole('dialog', { name: 'API key created' });
    const secret = dialog.getByText('slc_EXAMPLE');
    await dialog.waitFor();
    await secret.waitFor();
    await button('Hide API key').click();
    await secret.waitFor({ state: 'detached' });
    await button('Copy API key').click();
    await dialog.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    await page.getByText('API key copied to clipboard!').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^slc_/);

    const [download] = await Promise.all([page.waitForEvent('download'), button('Download .env').click()]);
    const file = await readFile(await download.path(), 'utf8');
    expect(file).toMatch(/^SLUICE_API_KEY=slc_\w+\n$/);
    await button('I stored it').click();
    await dialog.waitFor({ state: 'detached' });
  });

  itAtFullSize('a secret requires a confirmation before Escape closes its dialog', async () => {
    await button('Show a secret once').click();
    await page.getByRole('dialog', { name: 'API key created' }).waitFor();
    await page.keyboard.press('Escape');
    await button('Keep it open').click();
    await page
      .getByRole('dialog', { name: 'Close without storing the API key?' })
      .waitFor({ state: 'detached' });
    await page.getByRole('dialog', { name: 'API key created' }).waitFor();
  });

  itAtFullSize('a secret is used in snippets, whose language is remembered', async () => {
    await page.getByRole('tab', { name: 'curl' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel').getByText('from openai import OpenAI').waitFor();
    await page.reload();
    await page.getByRole('tabpanel').getByText('from openai import OpenAI').waitFor();
  });
});

describe('a timestamp', () => {
  beforeEach(() => open('figures'));

  itAtFullSize('a timestamp shows the full date with time zone when focused', async () => {
    await page.getByText('3 hours ago').focus();
    await page
      .getByRole('tooltip')
      .filter({ hasText: /\d{4}, \d+:\d\d:\d\d (AM|PM) \S+/ })
      .waitFor();
  });
});

describe('a busy overlay', () => {
  beforeEach(() => open('dialogs'));

  itAtFullSize('a busy overlay shows what is in progress and blocks all input including Escape', async () => {
    await stopClock();
    await button('Block user').press('Enter');
    await page.getByText('Blocking user...').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await page.locator('main :focus').count()).toBe(0);
    expect(await page.getByText('Blocking user...').isVisible()).toBe(true);
    await page.clock.runFor(1600);
    await page.getByText('Blocking user...').waitFor({ state: 'detached' });
    await focused('Block user').waitFor();
  });
});

describe('a form', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Create User' });
  const field = (name: string) => dialog().getByLabel(name, { exact: true });
  const submit = () => dialog().getByRole('button', { name: /^Creat/ });
  const isFocused = (name: string) => field(name).and(page.locator(':focus')).waitFor();
  const describedBy = async (name: string) => {
    const ids = (await field(name).getAttribute('aria-describedby'))?.split(' ') ?? [];
    return Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()));
  };

  beforeEach(async () => {
    await open('forms');
    await button('+ Create User').click();
    await dialog().waitFor();
  });

  async function fillIn(email: string) {
    await field('Email').fill(email);
    await field('Full Name').fill('Mira Novak');
    await field('Password').fill('long enough');
  }

  it("a form shows the contract's message at each invalid field and focuses the first one", async () => {
    await field('Email').fill('mira.novak@northwind');
    await field('Daily quota').fill('0');
    await submit().click();
    await dialog().getByText('Please enter a valid email').waitFor();
    await dialog().getByText('Name is required').waitFor();
    await dialog().getByText('Password is required').waitFor();
    await dialog().getByText('Daily quota must be at least 1').waitFor();
    await isFocused('Email');
    expect(await field('Email').getAttribute('aria-invalid')).toBe('true');
    expect(await describedBy('Email')).toContain('Please enter a valid email');
  });

  itAtFullSize('a form shows a server error at its field and focuses the field', async () => {
    await fillIn('taken@northwind.dev');
    await submit().click();
    await dialog().getByText('This address has an account already').waitFor();
    await isFocused('Email');
    expect(await describedBy('Email')).toContain('This address has an account already');
  });

  itSampled(2).each([
    ['full@northwind.dev', 'The plan does not allow another user'],
    ['down@northwind.dev', 'Failed to create user'],
  ])('a form shows errors without a field above the buttons: %s', async (email, message) => {
    await fillIn(email);
    await submit().click();
    const problem = dialog().getByRole('alert').filter({ hasText: message });
    await problem.waitFor();
    const [above, below] = [await problem.boundingBox(), await submit().boundingBox()];
    expect(above?.y).toBeLessThan(below?.y ?? 0);
  });

  itAtFullSize('a form shows that it is saving, saves once, and closes', async () => {
    await fillIn('mira@northwind.dev');
    await submit().dblclick();
    await dialog().getByText('Creating User...').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(await page.getByText('User mira@northwind.dev created').count()).toBe(1);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  itAtFullSize('a form asks for confirmation before its dialog closes with unsaved changes', async () => {
    await field('Full Name').fill('Mira');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard changes?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard changes?' }).waitFor({ state: 'detached' });
    expect(await field('Full Name').inputValue()).toBe('Mira');

    await dialog().getByRole('button', { name: 'Close' }).click();
    await button('Discard').click();
    await dialog().waitFor({ state: 'detached' });

    await button('+ Create User').click();
    await dialog().waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
  });
});

describe('a page with changes', () => {
  beforeEach(() => open('forms'));

  it('a page with unsaved changes asks for confirmation before navigation', async () => {
    await page.getByLabel('Full Name').fill('Mira');
    await page.getByRole('link', { name: 'Leave the page' }).click();
    await button('Keep editing').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/parts');
    await page.getByRole('link', { name: 'Leave the page' }).click();
    await button('Discard').click();
    await page.waitForURL('/');
  });
});

describe('a chart', () => {
  beforeEach(() => open('charts'));

  const panel = (name: string) => page.getByRole('region', { name, exact: true });

  itAtFullSize('a chart announces its points one by one by keyboard, including gaps', async () => {
    const chart = page.getByRole('application', { name: 'Token Usage Over Time' });
    await chart.focus();
    const tip = panel('Token Usage Over Time').getByRole('status');
    await tip.filter({ hasText: 'Thursday, Oct 22, 2026' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await tip
      .filter({ hasText: 'Friday, Oct 23, 2026' })
      .filter({ hasText: /[\d,]+ tokens/ })
      .waitFor();
    for (let steps = 0; steps < 10; steps++) await page.keyboard.press('ArrowRight');
    await tip.filter({ hasText: 'Monday, Nov 2, 2026' }).filter({ hasText: 'No data' }).waitFor();
  });

  itAtFullSize('a chart can be shown as a table', async () => {
    const toggle = button('Show Intent Classification Distribution as a table');
    await toggle.click();
    expect(await toggle.getAttribute('aria-pressed')).toBe('true');
    const rows = panel('Intent Classification Distribution').getByRole('row');
    expect(await rows.first().innerText()).toBe('Intent\tRequests\tShare');
    expect(await rows.nth(1).innerText()).toBe('Coding\t8,009\t44.0%');
  });

  itAtFullSize('a chart can be downloaded as an image', async () => {
    await page.getByRole('application', { name: 'Spend by Provider' }).waitFor();
    const save = button('Download Spend by Provider as PNG');
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
    expect(download.suggestedFilename()).toBe('spend-by-provider.png');
    const picture = await readFile(await download.path());
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    expect(picture.readUInt32BE(16)).toBeGreaterThan(800);
  });

  itAtFullSize('a chart truncates long names on its axis, and announces them in full', async () => {
    await panel('Top Models Used').getByText('claude-sonnet-4…').waitFor();
    const chart = page.getByRole('application', { name: 'Top Models Used' });
    await chart.focus();
    await panel('Top Models Used').getByRole('status').getByText('claude-sonnet-4-5-20250929').waitFor();
  });
});
