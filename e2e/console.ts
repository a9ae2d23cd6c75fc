import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import { launchBrowser } from './browser.ts';
import { type RunningSluice, startSluice } from './running-sluice.ts';
import { holding, signIn, type Visit, visit } from './visit.ts';

/** What the journeys of a file run on, from its `startConsole` on. */
export let sluice: RunningSluice;
export let browser: Browser;
/** The administrator's session. */
export let token: string;
/** The page of the journey that runs, from its `visitAs` on. */
export let page: Page;

interface Place {
  /** What the browser was told of it, as text. */
  readonly look: string;
  readonly visit: Visit;
}

/** Pages that former journeys have left in good order. */
const left: Place[] = [];
/** Those of the journey that runs. */
const taken: Place[] = [];
let isSpoilt = false;

/** Gives the journeys of a file a Sluice of their own, a browser, and an administrator who is signed in. */
export function startConsole(settings: Record<string, string> = {}): void {
  openConsole(() => startSluice(settings));
}

/** The same for journeys that change nothing in Sluice and log nobody out: the one that they get is others' too. */
export function shareConsole(): void {
  const stop = async () => undefined;
  openConsole(async () => ({ ...inject('firstSetup'), url: inject('sharedUrl'), stop }));
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
  // A second try shall not find what earlier ones have left.
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

/** Begins each journey with the administrator's page. */
export function visitConsole(options: BrowserContextOptions = {}): void {
  beforeEach(() => visitAs(token, options));
}

/** From here on the journey is that of who holds the session; of a stranger without one. Their page is as good as new. */
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

/** What has gone wrong in the journey's pages so far; it does not fail the journey then, as what is left at its end does. */
export const takeProblems = () => taken.flatMap(({ visit }) => visit.problems.splice(0));

/** Keeps the journey's pages from later ones: what it does to them, as stopping a clock, cannot be undone. */
export function spoilPages(): void {
  isSpoilt = true;
}

async function endAll(places: Place[]): Promise<void> {
  await Promise.all(places.splice(0).map(({ visit }) => visit.end()));
}
