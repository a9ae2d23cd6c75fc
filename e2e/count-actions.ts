import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browser, sluice } from './console.ts';
import { type Effort, jobs } from './jobs.ts';
import { holding, type Visit, visit } from './visit.ts';

type Audience = keyof typeof jobs;

/** Opens the start page. A job must not open other URLs. */
type OpenStart = (session: string | null, path: string) => Promise<Page>;

type Job = (open: OpenStart) => Promise<void>;

/** A test fails if the number of actions differs from the entry in `jobs`. */
export function describeJobs<Name extends Audience>(
  audience: Name,
  steps: Record<keyof (typeof jobs)[Name] & string, Job>,
): void {
  // safe because `steps` has the keys of `jobs[audience]`
  const efforts: Readonly<Record<string, Effort>> = jobs[audience];
  describe(`jobs of the ${audience}`, () => {
    it.each(Object.entries<Job>(steps))(
      "the job '%s' takes the stated number of clicks, fields and keys",
      async (name, job) => {
        expect(await measure(job)).toEqual(efforts[name]);
      },
    );
  });
}

const viewport = { width: 1440, height: 900 };

async function measure(job: Job): Promise<Effort> {
  const counts = { clicks: 0, fields: 0, keys: 0, documents: 0 };
  const visits: Visit[] = [];
  const open: OpenStart = async (session, path) => {
    const held = session === null ? {} : holding(session, sluice);
    const permissions = ['clipboard-read', 'clipboard-write'];
    const opened = await visit(browser, sluice, { ...held, viewport, permissions });
    visits.push(opened);
    const context = opened.page.context();
    await context.exposeBinding('countAction', (_source, kind: keyof typeof counts) => {
      counts[kind]++;
    });
    await context.addInitScript(countActions);
    await opened.page.goto(path);
    return opened.page;
  };
  try {
    await job(open);
  } finally {
    await Promise.all(visits.map(({ end }) => end()));
  }
  expect(visits.flatMap(({ problems }) => problems)).toEqual([]);
  const { documents, ...effort } = counts;
  expect(documents, 'pages that were opened by their URL').toBe(visits.length);
  return effort;
}

/**
 * Runs in each document: reports actions of the user, not of scripts. The listener is on the document, because
 * Playwright stops a click that misses its target at the window and then repeats the click.
 */
const countActions = `(() => {
  if (top !== self) return;
  const listen = (name, isOwn, report) =>
    document.addEventListener(name, (event) => isOwn(event) && report(event), { capture: true });
  const isTrusted = (event) => event.isTrusted;
  let lastField = null;
  const countField = ({ target }) => {
    if (target === lastField || target.type === 'checkbox' || target.type === 'radio') return;
    lastField = target;
    countAction('fields');
  };
  const modifiers = ['Shift', 'Control', 'Alt', 'Meta'];
  const writes = ({ key, ctrlKey, metaKey, altKey, target }) =>
    key.length === 1 && !ctrlKey && !metaKey && !altKey && target.matches('input, textarea');
  countAction('documents');
  listen('pointerdown', isTrusted, () => countAction('clicks'));
  // Playwright fills date fields by a script.
  listen('input', () => true, countField);
  listen('change', ({ target }) => target.type === 'file', countField);
  listen('keydown', (event) => event.isTrusted && !modifiers.includes(event.key) && !writes(event), () => countAction('keys'));
})()`;
