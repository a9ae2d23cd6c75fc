import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type RunningSluice, startSluice } from './running-sluice.ts';
import { holding, signIn, type Visit, visit } from './visit.ts';

/** What the journeys of a file run on, from its `startConsole` on. */
export let sluice: RunningSluice;
export let browser: Browser;
/** The administrator's session. */
export let token: string;

/** The visit of the journey that runs, and its page, from its `visitConsole` on. */
export let current: Visit;
export let page: Page;

/** Gives the journeys of a file a Sluice of their own, a browser, and an administrator who is signed in. */
export function startConsole(settings: Record<string, string> = {}): void {
  beforeAll(async () => {
    [sluice, browser] = await Promise.all([startSluice(settings), launchBrowser()]);
    token = await signIn(sluice);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), sluice?.stop()]);
  });
}

/** Gives each journey the administrator's page, as good as new; a second try gets a new one. */
export function visitConsole(options: BrowserContextOptions = {}): void {
  let own: Visit | undefined;
  beforeEach(async ({ task }) => {
    if (task.result?.retryCount) {
      await own?.end();
      own = undefined;
    }
    if (own) await own.renew();
    else own = await visit(browser, sluice, { ...holding(token, sluice), ...options });
    begin(own);
  });
  afterEach(async () => {
    const { problems } = current;
    if (current !== own) await current.end();
    expect(problems).toEqual([]);
  });
  afterAll(() => own?.end());
}

/** Ends the visit that each journey has begun by `visitAs`; nothing may have gone wrong in it. */
export function endVisits(): void {
  afterEach(async () => {
    const { problems } = current;
    await current.end();
    expect(problems).toEqual([]);
  });
}

/** From here on the journey is that of who holds the session; of a stranger without one. */
export async function visitAs(session: string | null, options: BrowserContextOptions = {}): Promise<void> {
  begin(await visit(browser, sluice, { ...(session !== null && holding(session, sluice)), ...options }));
}

function begin(visit: Visit): void {
  current = visit;
  page = visit.page;
}
