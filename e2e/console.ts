import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type RunningSluice, startProduct, startSluice } from './running-sluice.ts';
import { holding, signIn, type Visit, visit } from './visit.ts';

export let sluice: RunningSluice;
export let browser: Browser;
export let token: string;
export let page: Page;

interface Place {
  /** Browser context options, serialized. */
  readonly look: string;
  readonly visit: Visit;
}

/** Pages released by earlier tests, for reuse. */
const left: Place[] = [];
const taken: Place[] = [];
let isSpoilt = false;

/** Starts an instance, a browser and an administrator session for the tests of a file. */
export function startConsole(settings: Record<string, string> = {}): void {
  openConsole(() => startSluice(settings));
}

/** Like `startConsole`, with all processes of the product. */
export function startProductConsole(settings: Record<string, string>): void {
  openConsole(() => startProduct(settings));
}

/** Like `startConsole`, with two months of generated requests by 60 users. */
export function startDemoConsole(settings: Record<string, string> = {}): void {
  openConsole(() => startProduct(settings, ['server/demo/run.ts', '--rows', '4000', '--days', '62']));
}

/**
 * Like `startConsole`, with an instance that several test files share. For tests that neither change data nor end
 * sessions.
 */
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
  // A retry starts with new pages, which contain no data of earlier attempts.
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

/** Starts each test on a page of the administrator. */
export function visitConsole(options: BrowserContextOptions = {}): void {
  beforeEach(() => visitAs(token, options));
}

/** `null` means signed out. */
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

/** A test fails if problems remain at its end. */
export const takeProblems = () => taken.flatMap(({ visit }) => visit.problems.splice(0));

/** Prevents reuse of the pages after a change that cannot be undone, such as a stopped clock. */
export function spoilPages(): void {
  isSpoilt = true;
}

async function endAll(places: Place[]): Promise<void> {
  await Promise.all(places.splice(0).map(({ visit }) => visit.end()));
}
