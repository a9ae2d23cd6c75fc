import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type RunningSluice, startProduct, startSluice } from './running-sluice.ts';
import { holding, signIn, type Visit, visit } from './visit.ts';

/** Instance that the tests of a file run against, set by `startConsole`. */
export let sluice: RunningSluice;
export let browser: Browser;
/** Session token of the administrator. */
export let token: string;
/** Page of the running test, set by `visitAs`. */
export let page: Page;

interface Place {
  /** Browser context options as text. */
  readonly look: string;
  readonly visit: Visit;
}

/** Pages that earlier tests released for reuse. */
const left: Place[] = [];
/** Pages of the running test. */
const taken: Place[] = [];
let isSpoilt = false;

/** Starts an instance of Sluice for the tests of a file, a browser, and an administrator session. */
export function startConsole(settings: Record<string, string> = {}): void {
  openConsole(() => startSluice(settings));
}

/** Like `startConsole`, with all processes of the product. */
export function startProductConsole(settings: Record<string, string>): void {
  openConsole(() => startProduct(settings));
}

/** Like `startConsole`, with two months of generated requests of 60 users. */
export function startDemoConsole(settings: Record<string, string> = {}): void {
  openConsole(() => startProduct(settings, ['server/demo/run.ts', '--rows', '4000', '--days', '62']));
}

/** Like `startConsole`, for tests that neither change data nor end sessions: they share one instance. */
export function shareConsole(): void {
  const stop = async () => undefined;
  openConsole(async () => ({ ...inject('firstSetup'), ...inject('shared'), stop }));
}

function openConsole(start: () => Promise<RunningSluice>): void {
  beforeAll(async () => {
    [sluice, browser] = await Promise.all([start(), launchBrowser()]);
    token = await signIn(sluice);
  });
  afterAll(async () => {
    await endAll(left);
    await sluice?.stop();
  });
  // A retry must not find data of earlier attempts.
  beforeEach(async ({ task }) => {
    if (task.result?.retryCount) await endAll(left);
  });
  afterEach(async ({ task }) => {
    const problems = takeProblems();
    if (task.result?.state === 'fail' || isSpoilt) await endAll(taken);
    left.push(...taken.splice(0));
    isSpoilt = false;
    expect(problems).toEqual([]);
  });
}

/** Starts each test on the administrator's page. */
export function visitConsole(options: BrowserContextOptions = {}): void {
  beforeEach(() => visitAs(token, options));
}

/** Switches the test to a clean page with this session; `null` is signed out. */
export async function visitAs(session: string | null, options: BrowserContextOptions = {}): Promise<void> {
  const look = JSON.stringify(options);
  const index = left.findIndex((place) => place.look === look);
  const [found] = index < 0 ? [] : left.splice(index, 1);
  const held = session === null ? {} : holding(session, sluice);
  if (found) await found.visit.renew(held);
  const place = found ?? { look, visit: await visit(browser, sluice, { ...held, ...options }) };
  taken.push(place);
  page = place.visit.page;
}

/** Returns and clears the problems of the test's pages. Problems that remain at the end of a test fail it. */
export const takeProblems = () => taken.flatMap(({ visit }) => visit.problems.splice(0));

/** Excludes the test's pages from reuse, for changes that cannot be undone, such as a stopped clock. */
export function spoilPages(): void {
  isSpoilt = true;
}

async function endAll(places: Place[]): Promise<void> {
  await Promise.all(places.splice(0).map(({ visit }) => visit.end()));
}
